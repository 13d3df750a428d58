# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the scripts that source this file
# Every pinned version that is not in Cargo.toml, Cargo.lock, package.json or package-lock.json.

RUST_MINIMUM=1.95             # as in Cargo.toml; any newer compiler will do
RUST_VERSION=1.95.0           # what rustup is asked for where there is no such compiler
WORKER_BUILD=0.8.7            # goes with the `worker` crate
NODE_MINIMUM=18               # enough to run npm; everything else runs on the Node that package.json pins
NODE_DOWNLOAD=22.23.3         # fetched where there is neither Node nor apt

# The CLI must match the crate exactly, so its version is read from where the crate's is written.
WASM_BINDGEN=$(sed -n 's/^wasm-bindgen = "=\(.*\)"$/\1/p' Cargo.toml)

WASM_LIMIT_KB=1700            # what the Worker may weigh, gzipped; ARCHITECTURE.md says what weighs how much
