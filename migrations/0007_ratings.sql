-- Elo, in hundredths: whole numbers, so that no sum drifts (E1).
create table ratings (
  player_id text not null references players (id),
  ruleset text not null,
  rating integer not null,
  wins integer not null default 0,
  draws integer not null default 0,
  losses integer not null default 0,
  games integer not null default 0,
  primary key (player_id, ruleset)
) strict, without rowid;
create index ratings_by_rank on ratings (ruleset, rating desc, player_id) where games > 0;

-- What each rated game has changed, a row for each of its players (E4). A game has two rows or none. They are written, applied to
-- the ratings and marked as applied in one batch.
create table rated_games (
  game_id text not null,
  player_id text not null,
  ruleset text not null,
  score integer not null, -- in halves of a game: 2 won, 1 drawn, 0 lost
  before integer not null,
  change integer not null,
  after integer not null,
  rated_at integer not null,
  applied integer not null default 0,
  primary key (game_id, player_id)
) strict, without rowid;
create index rated_games_by_player on rated_games (player_id, rated_at);

-- A player with all that is told of him, so that one look-up does.
create view people as
select id, kind, name, created_at, deleted_at, challenges_from, hide_spectator_chat, language,
  (select operator from accounts where accounts.player_id = players.id) as operator,
  (select json_group_object(ruleset, json_array(rating, games)) from ratings
   where ratings.player_id = players.id and ratings.games > 0) as ratings
from players;
