# shellcheck shell=bash
# Finds, or installs, the two compilers: one for this machine, one for WebAssembly. They are the
# same one wherever rustup can add the target. Sourced after lib.sh.
#
#   need_rust        then   native COMMAND...   runs it with cargo for this machine (fmt, clippy, test)
#   need_wasm_rust   then   wasm COMMAND...     runs it with a cargo whose compiler knows wasm32-unknown-unknown

WASM_TARGET=wasm32-unknown-unknown
NATIVE_PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin # rustup may be there without being in PATH
WASM_ENV=()

native() { env PATH="$NATIVE_PATH" "$@"; }
wasm() { env "${WASM_ENV[@]}" "$@"; }

native_rustc_version() { native rustc --version 2>/dev/null | cut -d ' ' -f 2; }

has_rustup() { native rustup --version >/dev/null 2>&1; }

# Whether the compiler in use is one that rustup looks after.
is_rustups() {
  has_rustup || return 1
  case $(native rustc --print sysroot) in */toolchains/*) ;; *) return 1 ;; esac
}

recent_rust() {
  local version
  version=$(native_rustc_version) && [ -n "$version" ] && at_least "$version" "$RUST_MINIMUM" &&
    native cargo --version >/dev/null 2>&1
}

# Ways to a compiler that is recent enough, from the least to the most that is changed on this machine.

by_rustup() {
  has_rustup || return 1
  if ! native rustup run "$RUST_VERSION" rustc --version >/dev/null 2>&1; then
    failed_lately "rustup-$RUST_VERSION" && return 1
    attempt "adding Rust $RUST_VERSION with rustup" limited 900 env PATH="$NATIVE_PATH" RUSTUP_MAX_RETRIES=1 \
      rustup toolchain install "$RUST_VERSION" --profile minimal -c rustfmt -c clippy --no-self-update ||
      { remember_failure "rustup-$RUST_VERSION" && return 1; }
  fi
  export RUSTUP_TOOLCHAIN=$RUST_VERSION
  recent_rust
}

by_debian() {
  NATIVE_PATH=/usr/bin:$PATH
  recent_rust && return
  apt_has rustc-web || return 1
  attempt "installing Rust from Debian's packages" apt_install rustc-web cargo-web rustfmt-web rust-web-clippy
  recent_rust
}

# rustup inside the cache: nothing of the user's is changed. Untested on macOS, which it is there for.
by_installer() {
  [ -x "$CACHE/cargo/bin/cargo" ] ||
    attempt "installing Rust $RUST_VERSION in $CACHE" official_rustup || return 1
  export RUSTUP_HOME=$CACHE/rustup CARGO_HOME=$CACHE/cargo RUSTUP_TOOLCHAIN=$RUST_VERSION
  NATIVE_PATH=$CACHE/cargo/bin:$PATH
  recent_rust
}

official_rustup() {
  have curl || { apt_has curl && apt_install curl ca-certificates; } || return 1
  limited 900 env RUSTUP_HOME="$CACHE/rustup" CARGO_HOME="$CACHE/cargo" \
    sh -c 'curl --proto "=https" --tlsv1.2 -sSf --connect-timeout 20 https://sh.rustup.rs | sh -s -- "$@"' sh \
    -y --no-modify-path --profile minimal -c rustfmt -c clippy --default-toolchain "$RUST_VERSION" || return 1
  [ -x "$CACHE/cargo/bin/cargo" ]
}

need_c_compiler() {
  have cc && return
  if apt_has gcc; then
    step "installing a C compiler, which Rust links with" apt_install gcc libc6-dev && return
  fi
  case $(uname) in
    Darwin) die "there is no C compiler, and Rust links with one" "run:  xcode-select --install" ;;
    *) die "there is no C compiler (cc), and Rust links with one" "as root:  apt-get install gcc libc6-dev" ;;
  esac
}

need_rust() {
  need_c_compiler
  recent_rust || by_rustup || by_debian || by_installer ||
    die "Rust $RUST_MINIMUM or newer is needed, and could not be installed" \
      "with rustup:          rustup toolchain install $RUST_VERSION && rustup default $RUST_VERSION" \
      "without it:           see https://rustup.rs" \
      "on Debian, as root:   apt-get install rustc-web cargo-web rustfmt-web rust-web-clippy"
  need_rust_component fmt rustfmt rustfmt-web
  need_rust_component clippy clippy rust-web-clippy
}

# need_rust_component SUBCOMMAND RUSTUP_NAME DEBIAN_NAME
need_rust_component() {
  native cargo "$1" --version >/dev/null 2>&1 && return
  if is_rustups; then
    step "adding $2 with rustup" native rustup component add "$2" || true
  elif apt_has "$3"; then
    step "installing $2 from Debian's packages" apt_install "$3" || true
  fi
  native cargo "$1" --version >/dev/null 2>&1 ||
    die "cargo $1 is missing" "with rustup:  rustup component add $2" "on Debian, as root:  apt-get install $3"
}

has_wasm_std() {
  local lib
  lib=$(native rustc --print target-libdir --target "$WASM_TARGET" 2>/dev/null) && [ -d "$lib" ]
}

need_wasm_rust() {
  need_rust
  if ! has_wasm_std && is_rustups; then
    local this
    this=wasm-$(native_rustc_version)
    if ! failed_lately "$this"; then
      attempt "adding $WASM_TARGET with rustup" \
        limited 180 env PATH="$NATIVE_PATH" RUSTUP_MAX_RETRIES=1 rustup target add "$WASM_TARGET" ||
        remember_failure "$this"
    fi
  fi
  if has_wasm_std; then
    WASM_ENV=(PATH="$NATIVE_PATH")
    return
  fi
  # shellcheck source=scripts/debian-wasm.sh
  . scripts/debian-wasm.sh
  need_debian_wasm || die "no compiler here can target WebAssembly" \
    "with rustup:          rustup target add $WASM_TARGET" \
    "on Debian, as root:   apt-get install --no-install-recommends $DEBIAN_WASM_PACKAGES"
}
