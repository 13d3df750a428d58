-- A corrected game (G11): `change` and `after` are those of the corrected result, and this is what it was at first.
alter table rated_games add column original_change integer;
alter table rated_games add column corrected_at integer;
