-- Which sessions have ended whose players' own channels have still to be told: written in the batch that ends them, removed when the
-- player's object has heard of it.
create table channel_errands (
  session_id text primary key,
  player_id text not null,
  due integer not null
) strict, without rowid;
create index channel_errands_by_player on channel_errands (player_id, due);
create index channel_errands_by_due on channel_errands (due);
