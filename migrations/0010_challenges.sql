-- What one player offers another, for a minute (L3). A row is open while `ended` is null: whoever sets it first decides. `begun` is
-- whether the table of an accepted one is there, so that none is forgotten.
create table challenges (
  id text primary key,
  from_id text not null,
  to_id text not null,
  created_at integer not null,
  expires_at integer not null,
  ended text,
  begun integer not null default 0,
  body text not null
) strict, without rowid;
create index challenges_to on challenges (to_id);
create index challenges_from on challenges (from_id);
create index challenges_open_to on challenges (to_id, expires_at) where ended is null;
create index challenges_open_from on challenges (from_id, expires_at) where ended is null;
create index challenges_open on challenges (expires_at) where ended is null;
create index challenges_unbegun on challenges (created_at) where ended = 'accepted' and begun = 0;
create index challenges_by_age on challenges (created_at);

-- Which tables wait in which lobby, and since when.
create index games_waiting on games (ruleset, created_at) where state = 'waiting';
create index games_waiting_since on games (created_at) where state = 'waiting';
