#!/usr/bin/env bash
# Builds the Worker into build/, if what Cargo makes of the sources has changed.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/rust.sh
. scripts/rust.sh
# shellcheck source=scripts/node.sh
. scripts/node.sh
# shellcheck source=scripts/wasm-tools.sh
. scripts/wasm-tools.sh

need_node_modules
need_wasm_rust
need_wasm_tools

# The variable is the one that worker-build sets, so that both runs of Cargo make the same thing.
compile() { wasm WASM_BINDGEN_USE_JS_SYS=1 cargo build --release --lib --target "$WASM_TARGET"; }

step "compiling the Worker" compile
stamp=build/.built-from
wanted=$(checksum "target/$WASM_TARGET/release/hoshi.wasm" package-lock.json scripts/versions.sh scripts/wasm-opt)
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  rm -f "$stamp"
  step "packing the Worker (worker-build)" wasm "$WORKER_BUILD_BIN" --release
  printf '%s\n' "$wanted" >"$stamp"
fi

bytes=$(gzip -9 -c build/index_bg.wasm | wc -c)
say "wasm: $(((bytes + 1023) / 1024)) KB gzipped (limit $WASM_LIMIT_KB)"
[ "$bytes" -le $((WASM_LIMIT_KB * 1024)) ] || die "the Worker is too large"
