# shellcheck shell=bash disable=SC2034 # WASM_ENV is read by rust.sh
# The compiler for WebAssembly where rustup cannot add the target: Debian's own, with the standard
# library for wasm32 built from Debian's source of it. Sourced by rust.sh.
#
# The library is not put beside the compiler's under /usr but into a sysroot of our own in the
# cache: links to everything that Debian installed, and the library for wasm32. When Debian
# updates its compiler, the sysroot's name no longer fits and a new one is made.

DEBIAN_WASM_PACKAGES="rustc-web cargo-web rust-web-src rust-web-clippy lld"

need_debian_wasm() {
  # shellcheck disable=SC2086 # a list of packages
  if ! dpkg -s $DEBIAN_WASM_PACKAGES >/dev/null 2>&1; then
    apt_has rustc-web || return 1
    step "installing Debian's Rust for WebAssembly" apt_install $DEBIAN_WASM_PACKAGES || return 1
  fi
  local name
  name=sysroot-$(/usr/bin/rustc -vV | checksum | cut -c 1-12)
  [ -d "$CACHE/$name" ] || step "building the standard library for $WASM_TARGET" build_sysroot "$name" || return 1
  WASM_ENV=(
    PATH="$CACHE/$name/bin:$PATH"
    SYSROOT="$CACHE/$name" # clippy is told this way, as it does not run the rustc in PATH
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
  )
}

build_sysroot() {
  local work rustlib entry tool
  work=$(scratch sysroot)
  rustlib=$(/usr/bin/rustc --print sysroot)/lib/rustlib

  mkdir -p "$work/std/src" "$work/bin" "$work/lib/rustlib/$WASM_TARGET/lib"
  : >"$work/std/src/lib.rs"
  printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n' >"$work/std/Cargo.toml"
  (
    cd "$work/std" && PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/std/target \
      /usr/bin/cargo build --release -Zbuild-std=std,panic_abort --target "$WASM_TARGET"
  ) || return 1
  rm "$work/std/target/$WASM_TARGET/release/deps/"libempty*.rlib
  cp "$work/std/target/$WASM_TARGET/release/deps/"*.rlib "$work/lib/rustlib/$WASM_TARGET/lib/"
  rm -r "$work/std"

  for entry in "$rustlib"/*; do
    [ -e "$work/lib/rustlib/${entry##*/}" ] || ln -s "$entry" "$work/lib/rustlib/${entry##*/}"
  done
  for tool in cargo cargo-clippy clippy-driver; do ln -s "/usr/bin/$tool" "$work/bin/$tool"; done
  # shellcheck disable=SC2016 # expanded when it runs
  printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot "$(cd "$(dirname "$0")/.." && pwd)" "$@"\n' >"$work/bin/rustc"
  chmod +x "$work/bin/rustc"
  publish "$work" "$1"
}
