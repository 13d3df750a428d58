-- What a player has created under which Idempotency-Key, so that the same call twice makes one thing.
create table idempotency_keys (
  player_id text not null,
  key text not null,
  request_hash text not null,
  resource_id text not null,
  created_at integer not null,
  primary key (player_id, key)
) strict, without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);
