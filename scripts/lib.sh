# shellcheck shell=bash
# What every script shares: where things are, how progress is told, how things get installed.
# Written for bash 3.2, which is what macOS has. Sourced, never run.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

# Tools that take minutes to build live outside the checkout, one directory per tool and version,
# so that a second clone finds them ready. Removing it costs time and nothing else.
CACHE=${HOSHI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/hoshi}
LOGS=$ROOT/target/logs
mkdir -p "$CACHE" "$LOGS"
CACHE=$(cd "$CACHE" && pwd)

# shellcheck source=scripts/versions.sh
. scripts/versions.sh

say() { printf '%s\n' "hoshi: $*"; }

# die WHAT [ADVICE...]: says what is wrong and, a line each, what to do about it.
die() {
  printf '%s\n' "hoshi: error: $1" >&2
  shift
  for line in "$@"; do printf '%s\n' "         $line" >&2; done
  exit 1
}

# step LABEL COMMAND...: one line of progress with the seconds taken; the output is shown only if the command fails.
# (bash ignores `set -e` inside, so a function that is run by it must return its failures itself.)
step() {
  attempt "$@" && return
  cat "$LOG" >&2
  return 1
}

# attempt LABEL COMMAND...: the same for what may well fail and has an alternative: the output stays in the log.
attempt() {
  local label=$1 start=$SECONDS
  shift
  LOG=$LOGS/$(printf '%s' "$label" | tr -cs 'A-Za-z0-9' '-').log
  printf 'hoshi: %-58s ' "$label"
  if ! CARGO_TERM_QUIET=true "$@" >"$LOG" 2>&1 </dev/null; then
    printf 'failed (%s)\n' "${LOG#"$ROOT/"}"
    return 1
  fi
  printf '%4d s\n' $((SECONDS - start))
}

# loud_step LABEL COMMAND...: the same, for a command whose output is worth reading as it comes.
loud_step() {
  local label=$1 start status=0
  shift
  start=$SECONDS
  say "$label ..."
  "$@" </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    say "$label failed" >&2
    return "$status"
  fi
  printf 'hoshi: %-58s %4d s\n' "$label" $((SECONDS - start))
}

have() { command -v "$1" >/dev/null 2>&1; }

# checksum [FILE...]: of the files, or of standard input.
checksum() {
  if have sha256sum; then cat "$@" | sha256sum; else cat "$@" | shasum -a 256; fi | cut -d ' ' -f 1
}

# at_least VERSION MINIMUM: compares major and minor.
at_least() {
  local major=${1%%.*} minor=${1#*.} min_major=${2%%.*} min_minor=0
  minor=${minor%%.*}
  case $2 in *.*) min_minor=${2#*.} min_minor=${min_minor%%.*} ;; esac
  [ "$major" -gt "$min_major" ] || { [ "$major" -eq "$min_major" ] && [ "$minor" -ge "$min_minor" ]; }
}

# limited SECONDS COMMAND...: macOS has no `timeout`, but it has perl.
limited() {
  if have timeout; then timeout "$@"; else perl -e 'alarm shift; exec @ARGV or exit 127' "$@"; fi
}

# A directory of the cache comes into being whole: it is filled as a scratch directory and renamed.
# scratch NAME: prints a new empty directory. publish SCRATCH NAME: gives it its name.
# What an interrupted run left is removed by a later one.
scratch() {
  find "$CACHE" -maxdepth 1 -name ".$1.*" -mmin +300 -exec rm -rf {} +
  mktemp -d "$CACHE/.$1.XXXXXX"
}
publish() {
  if [ -e "$CACHE/$2" ]; then rm -rf "$1"; else mv "$1" "$CACHE/$2"; fi
}

# failed_lately NAME: whether `remember_failure NAME` was called within a day, so that what
# cannot be had (a closed network) is not waited for in every run.
failed_lately() { [ -n "$(find "$CACHE/failed-$1" -mmin -1440 2>/dev/null)" ]; }
remember_failure() { : >"$CACHE/failed-$1"; }

# as_root COMMAND...: fails when that would mean asking for a password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; elif have sudo && sudo -n true 2>/dev/null; then sudo "$@"; else return 1; fi
}

# apt_has PACKAGE: whether it can be installed here: apt, the right to use it, and the package in
# Debian's lists, which are refreshed once a run.
APT_REFRESHED=
apt_has() {
  have apt-get && as_root true || return 1
  if [ -z "$APT_REFRESHED" ]; then
    APT_REFRESHED=yes
    as_root apt-get update -qq >"$LOGS/apt-update.log" 2>&1 || true
  fi
  case $(apt-cache policy "$1" 2>/dev/null) in *"Candidate: "[0-9]*) ;; *) return 1 ;; esac
}

# apt_install PACKAGE...: never removes one that is there.
apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends --no-remove "$@"
}
