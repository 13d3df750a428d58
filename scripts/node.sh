# shellcheck shell=bash
# The JavaScript tools: any Node from 18 runs npm once, which brings Node 22 and the rest into
# node_modules; from then on that Node comes first in PATH. Sourced after lib.sh.

need_node_modules() {
  local stamp=node_modules/.installed-from wanted
  wanted=$(uname -sm; checksum package.json package-lock.json)
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    need_npm
    # The warnings about engines are true of the Node that runs npm, not of the one it brings.
    step "installing the JavaScript tools (npm ci)" npm ci --loglevel=error --no-progress
    "$ROOT/node_modules/.bin/node" --version >/dev/null ||
      die "npm brought no Node that runs here" "remove node_modules and try again; if it stays so, install Node 22 and report it"
    printf '%s\n' "$wanted" >"$stamp"
  fi
  export PATH="$ROOT/node_modules/.bin:$PATH"
  # Running locally asks nobody anything.
  export WRANGLER_SEND_METRICS=false CLOUDFLARE_CF_FETCH_ENABLED=false
}

usable_node() {
  have npm && have node && at_least "$(node --version | tr -d v)" "$NODE_MINIMUM"
}

need_npm() {
  local downloaded=$CACHE/node-$NODE_DOWNLOAD/bin
  usable_node && return
  [ -d "$downloaded" ] && export PATH="$downloaded:$PATH" && return
  if ! have node && apt_has npm; then
    attempt "installing Node from Debian's packages" apt_install nodejs npm || true
  fi
  usable_node && return
  if attempt "fetching Node $NODE_DOWNLOAD" download_node; then
    export PATH="$downloaded:$PATH"
  fi
  usable_node || die "Node $NODE_MINIMUM or newer, with npm, is needed and could not be installed" \
    "on macOS:             brew install node" \
    "on Debian, as root:   apt-get install nodejs npm" \
    "anywhere:             see https://nodejs.org"
}

# Untested on macOS, which it is there for.
download_node() {
  have curl || return 1
  local os arch file url work
  case $(uname -s) in Darwin) os=darwin ;; Linux) os=linux ;; *) return 1 ;; esac
  case $(uname -m) in arm64 | aarch64) arch=arm64 ;; x86_64) arch=x64 ;; *) return 1 ;; esac
  file=node-v$NODE_DOWNLOAD-$os-$arch.tar.gz
  url=https://nodejs.org/dist/v$NODE_DOWNLOAD
  work=$(scratch node)
  curl -fsSL --connect-timeout 20 -o "$work/$file" "$url/$file" || return 1
  curl -fsSL --connect-timeout 20 -o "$work/sums" "$url/SHASUMS256.txt" || return 1
  grep -q "^$(checksum "$work/$file")  $file$" "$work/sums" || return 1
  mkdir "$work/node"
  tar -xzf "$work/$file" -C "$work/node" --strip-components 1 || return 1
  publish "$work/node" "node-$NODE_DOWNLOAD"
  rm -rf "$work"
}
