#!/usr/bin/env bash
# Runs Hoshi on this machine: workerd, with D1 and the Durable Objects under .state/.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/node.sh
. scripts/node.sh
# shellcheck source=scripts/secret.sh
. scripts/secret.sh

PORT=${PORT:-8787}
STATE=.state

listening() { (: <"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null || (: <"/dev/tcp/::1/$PORT") 2>/dev/null; }

# wrangler takes seconds to find out that there is nothing to apply.
apply_migrations() {
  local stamp=$STATE/migrations-applied wanted
  ls migrations/*.sql >/dev/null 2>&1 || return 0
  wanted=$( (ls migrations/*.sql && cat migrations/*.sql) | checksum)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
  mkdir -p "$STATE"
  step "applying the migrations" env CI=1 wrangler d1 migrations apply DB --local --persist-to "$STATE"
  printf '%s\n' "$wanted" >"$stamp"
}

# wrangler listens before the Worker runs, so what is waited for is an answer.
answers() {
  local line=
  exec 3<>"/dev/tcp/localhost/$PORT" && printf 'HEAD / HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && read -r line <&3
  [ -n "$line" ]
}

# Ends with wrangler, which takes over this process.
announce() {
  while kill -0 $$ 2>/dev/null; do
    if (answers) 2>/dev/null; then
      say "ready at http://localhost:$PORT (Ctrl-C stops it)"
      return
    fi
    sleep 0.2
  done
}

listening && die "port $PORT is in use" "stop what uses it, or choose another:  make dev PORT=8788"
scripts/build.sh
need_node_modules
need_secret
apply_migrations

# Whoever tries things out is not to be slowed down: the limits are high here.
VARS=()
for limit in GUESTS ACCOUNTS SIGN_INS_FROM SIGN_INS_TO TABLES CHALLENGES SEEKS CHAT REPORTS; do
  VARS+=(--var "LIMIT_$limit:100000/1m")
done

announce &
exec wrangler dev --port "$PORT" --persist-to "$STATE" "${VARS[@]}"
