-- What makes a guest an account: a name of his own and a password. The row goes when the account is deleted; the player's
-- row stays, since games name it, with another name and the time of the deletion.
create table accounts (
  player_id text primary key references players (id),
  name_key text not null unique,       -- the name, normalised and without case: by this he signs in and is found
  password_hash text not null,         -- a PHC string: Argon2id with its parameters and salt
  operator integer not null default 0, -- set from the command line only
  created_at integer not null
) strict, without rowid;

-- The shapes of accounts' names, so that nobody takes one that looks like another's.
create table name_shapes (
  shape text primary key,
  player_id text not null references players (id)
) strict, without rowid;
create index name_shapes_by_player on name_shapes (player_id);

alter table players add column deleted_at integer;
alter table players add column challenges_from text not null default 'anyone';
alter table players add column hide_spectator_chat integer not null default 0;
alter table players add column language text;

-- Who does not want to meet whom (T6).
create table blocks (
  player_id text not null references players (id),
  blocked_id text not null references players (id),
  created_at integer not null,
  primary key (player_id, blocked_id)
) strict, without rowid;
create index blocks_by_blocked on blocks (blocked_id, player_id);

-- By game, who plays in it: whether a block is in the way of a seat.
create index game_players_by_game on game_players (game_id, player_id);
