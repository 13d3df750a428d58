-- Who plays. A guest keeps his row, and so his id, when he becomes an account.
create table players (
  id text primary key,
  kind text not null,
  name text not null,
  created_at integer not null
) strict;

-- One row a sign-in; signing out deletes it.
create table sessions (
  id text primary key,
  player_id text not null references players (id),
  created_at integer not null,
  expires_at integer not null
) strict;
create index sessions_by_player on sessions (player_id);
create index sessions_by_expiry on sessions (expires_at);
