#!/usr/bin/env bash
# licenses.sh [print]: writes src/api/licenses.txt, the libraries of which the Worker is built with their licences, or prints it.
# Without `lib.sh`, since the test that compares the two runs inside of cargo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

list() {
  "${CARGO:-cargo}" tree --locked -e normal --target wasm32-unknown-unknown --prefix none -f '{p}|{l}|{r}' |
    sed -e 's/ (\*)$//' -e 's/ (proc-macro)//' -e '/^hoshi v/d' | LC_ALL=C sort -u |
    awk -F '|' '{ sub(/ v/, " ", $1); print $1 ": " $2 ($3 == "" ? "" : ", " $3) }'
}

case ${1:-write} in
  print) list ;;
  *) list >src/api/licenses.txt ;;
esac
