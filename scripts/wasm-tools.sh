# shellcheck shell=bash disable=SC2034 # WORKER_BUILD_BIN is read by build.sh
# worker-build and the three tools that it calls. The two written in Rust are built once per version
# into the cache, the other two come from npm. Sourced after rust.sh and node.sh, which must have run.

need_wasm_tools() {
  need_crate worker-build "$WORKER_BUILD" --locked
  # Its lock file asks for a yanked crate, so it is resolved afresh.
  need_crate wasm-bindgen-cli "$WASM_BINDGEN"
  WORKER_BUILD_BIN=$CACHE/worker-build-$WORKER_BUILD/bin/worker-build
  export WASM_BINDGEN_BIN=$CACHE/wasm-bindgen-cli-$WASM_BINDGEN/bin/wasm-bindgen
  export WASM_OPT_BIN=$ROOT/scripts/wasm-opt
  export ESBUILD_BIN=$ROOT/node_modules/.bin/esbuild
}

# need_crate NAME VERSION [OPTION...]
need_crate() {
  [ -d "$CACHE/$1-$2" ] || step "building $1 $2, once for this machine" build_crate "$@"
}

build_crate() {
  local name=$1 version=$2 work
  shift 2
  work=$(scratch "$name")
  # They run for seconds and build for minutes, so hardly any optimisation is asked for.
  native env CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_TARGET_DIR="$work/target" \
    cargo install "$name" --version "=$version" --root "$work" --no-track "$@" || return 1
  rm -rf "$work/target"
  publish "$work" "$name-$version"
}
