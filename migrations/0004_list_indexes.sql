-- Lists by what is played, newest first, without a walk through all games.
create index games_by_play on games (visibility, ruleset, board, created_at desc, id desc);
create index games_by_rank on games (visibility, ranked, created_at desc, id desc);
