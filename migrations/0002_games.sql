-- What is searched across tables. The tables' objects hold the truth and write here when a table opens, starts and
-- ends. A row is a table's whole summary as of its event `seq`, so that a late or repeated write cannot undo a newer.
create table games (
  id text primary key,
  seq integer not null,
  state text not null,
  ruleset text not null,
  board text not null,
  ranked integer not null,
  visibility text not null,
  created_at integer not null,
  summary text not null
) strict;
create index games_by_age on games (visibility, created_at desc, id desc);
create index games_by_state on games (visibility, state, created_at desc, id desc);

-- Who made a table or sits at it.
create table game_players (
  player_id text not null,
  game_id text not null references games (id),
  created_at integer not null,
  primary key (player_id, created_at, game_id)
) strict, without rowid;
