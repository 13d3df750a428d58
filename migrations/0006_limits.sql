-- How much of each rate limit is used (S5): when what has been done is all paid off. What is limited, and for whom, is in the key
-- as a keyed hash, so that no address is stored.
create table rate_limits (
  key text primary key,
  paid_at integer not null
) strict, without rowid;
create index rate_limits_by_age on rate_limits (paid_at);
