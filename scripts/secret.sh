# shellcheck shell=bash
# The key that signs tokens on this machine: random, made once, never committed. Sourced after lib.sh.

need_secret() {
  [ -e .dev.vars ] && return
  (
    umask 077
    printf 'SIGNING_SECRET=%s\n' "$(od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n')" >.dev.vars
  )
  say "made a signing secret in .dev.vars"
}
