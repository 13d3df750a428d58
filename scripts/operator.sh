#!/usr/bin/env bash
# operator.sh NAME: makes an account an operator; the log of operators says so. REMOVE=yes takes that back. REMOTE=yes does it in
# production, else it is done to the state of `make dev`.
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/node.sh
. scripts/node.sh

NAME=${1:-}
STATE=${STATE:-.state}
[ -n "$NAME" ] || die "whose account?" "make operator NAME=Aki"
# A name has letters, digits, _ and - of any script, so that nothing here can end the text in which it stands.
case $NAME in
  *[\'\"\;\`\\\ \$\%]*) die "no account has that name" ;;
esac

wanted=1 action=make_operator
if [ "${REMOVE:-no}" = yes ]; then wanted=0 action=unmake_operator; fi
where=(--local --persist-to "$STATE")
if [ "${REMOTE:-no}" = yes ]; then where=(--remote); fi

account="select a.player_id from accounts a join players p on p.id = a.player_id where p.name = '$NAME' or a.name_key = lower('$NAME')"
sql="insert into operator_log (id, at, operator_id, action, player_id, reason)
  select lower(hex(randomblob(8))), cast(unixepoch('subsec') * 1000 as integer), null, '$action', player_id, 'from the command line'
  from accounts where player_id in ($account) and operator != $wanted;
update accounts set operator = $wanted where player_id in ($account) and operator != $wanted;
select 'operator is ' || operator as outcome from accounts where player_id in ($account);"

need_node_modules
said=$(CI=1 wrangler d1 execute DB "${where[@]}" --json --command "$sql" 2>&1 </dev/null) || die "the database refused it" "$said"
case $said in
  *"operator is $wanted"*) say "$NAME: $action, done" ;;
  *) die "there is no account \"$NAME\"" "write the name as its owner does; guests cannot be operators" ;;
esac
