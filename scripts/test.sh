#!/usr/bin/env bash
# test.sh all|lint|unit|e2e|format|bench: the checks, in the order in which they fail soonest.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/rust.sh
. scripts/rust.sh
# shellcheck source=scripts/node.sh
. scripts/node.sh
# shellcheck source=scripts/secret.sh
. scripts/secret.sh

lint() {
  need_rust
  step "formatting" native cargo fmt --check
  step "lints" native cargo clippy --all-targets -- -D warnings
  need_wasm_rust
  step "lints of the Worker" wasm cargo clippy --lib --target "$WASM_TARGET" -- -D warnings
}

# Every integration test but the end-to-end suite, which needs the Worker.
unit() {
  need_rust
  local file name targets=(--lib)
  for file in tests/*.rs tests/*/main.rs; do
    name=${file#tests/} name=${name%/main.rs} name=${name%.rs}
    if [ -e "$file" ] && [ "$name" != e2e ]; then targets+=(--test "$name"); fi
  done
  loud_step "unit and property tests" native cargo test "${targets[@]}"
  loud_step "examples in the documentation" native cargo test --doc
}

documentation() {
  step "documentation" native env RUSTDOCFLAGS="-D warnings" cargo doc --no-deps
}

# The suite starts wrangler itself, on the Node that comes first in PATH. Its tests mostly wait for answers, so more of
# them run at once than there are processors.
e2e() {
  scripts/build.sh
  need_node_modules
  need_rust
  need_secret
  loud_step "end-to-end tests" native env PATH="$ROOT/node_modules/.bin:$NATIVE_PATH" \
    HOSHI_WRANGLER="$ROOT/node_modules/.bin/wrangler" RUST_TEST_THREADS=8 cargo test --test e2e
}

case ${1:-all} in
  all)
    lint
    unit
    documentation
    e2e
    say "all checks passed"
    ;;
  lint) lint ;;
  unit) unit ;;
  e2e) e2e ;;
  format) need_rust && native cargo fmt ;;
  bench)
    need_node_modules
    need_rust
    native cargo bench
    ;;
  *) die "unknown check: $1" "try:  make help" ;;
esac
