-- What a player is suspended from, and until when (S4).
alter table players add column chat_suspended_until integer;
alter table players add column play_suspended_until integer;

-- The version of everything that tables must know of a player: suspensions, blocks of his and against him, whom he wants to hear.
alter table players add column conduct_version integer not null default 0;

-- A player with all that is told of him, so that one look-up does: as before, and with that.
drop view people;
create view people as
select id, kind, name, created_at, deleted_at, challenges_from, hide_spectator_chat, language,
  (select operator from accounts where accounts.player_id = players.id) as operator,
  (select json_group_object(ruleset, json_array(rating, games)) from ratings
   where ratings.player_id = players.id and ratings.games > 0) as ratings,
  chat_suspended_until, play_suspended_until, conduct_version,
  (select json_group_array(blocked_id) from blocks where blocks.player_id = players.id) as blocked,
  (select json_group_array(player_id) from blocks where blocks.blocked_id = players.id) as blocked_by
from players;

-- Who has said something where: those tables are to be told when he deletes himself, and asked when he wants it all.
create table chat_authors (
  player_id text not null,
  table_id text not null,
  primary key (player_id, table_id)
) strict, without rowid;
