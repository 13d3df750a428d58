-- The operators' queue of appeals (G10, G11). The tables hold the truth and write here when somebody appeals and when an operator
-- decides; `seq` is the table's event of which a row knows, so that a late or repeated write cannot undo a newer.
create table appeals (
  id text primary key,
  table_id text not null,
  player_id text not null,
  seq integer not null,
  state text not null,      -- 'open', or the ruling: 'upheld' or 'corrected'
  created_at integer not null,
  appeal text not null      -- the appeal as the table shows it, JSON
) strict, without rowid;
create index appeals_by_age on appeals (state, created_at, id);
create index appeals_by_player on appeals (player_id);
