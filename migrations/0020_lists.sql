-- Lists under one ruleset or on one board, newest first, without a walk through all public games.
create index games_by_ruleset on games (visibility, ruleset, created_at desc, id desc);
create index games_by_board on games (visibility, board, created_at desc, id desc);

-- No query is served by it.
drop index rated_games_by_player;

-- What operators have decided at the tables of a player, for himself.
create index operator_log_by_table on operator_log (table_id);

-- Whether a running game is being counted only its table knows at any moment; the index has it as running.
update games set state = 'playing' where state = 'counting';
