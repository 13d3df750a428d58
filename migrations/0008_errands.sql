-- Which session is connected to which table, so that its sockets can be closed when it ends.
create table presence (
  session_id text not null,
  table_id text not null,
  player_id text not null,
  primary key (session_id, table_id)
) strict, without rowid;
create index presence_by_player on presence (player_id);

-- What tables have still to be told of players: written in the same batch as what it is about, removed when the table has it.
create table errands (
  table_id text not null,
  kind text not null,    -- 'signed_out', 'renamed' or 'left'
  subject text not null, -- the session, or the player
  player_id text not null,
  due integer not null,
  primary key (kind, subject, table_id)
) strict, without rowid;
create index errands_by_player on errands (player_id, due);
create index errands_by_due on errands (due);
