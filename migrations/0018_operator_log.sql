-- What operators have done (S4): rows are added and never changed.
create table operator_log (
  number integer primary key,
  id text not null unique,  -- so that an entry that is told twice is there once
  at integer not null,
  operator_id text,         -- nobody for what was done from the command line
  action text not null,
  player_id text,           -- whom it is about
  table_id text,
  subject text,             -- which report, appeal or line
  reason text not null,
  details text              -- JSON
) strict;
create index operator_log_by_player on operator_log (player_id);

create trigger operator_log_stays before update on operator_log begin
  select raise(abort, 'the log is append-only');
end;
create trigger operator_log_is_kept before delete on operator_log begin
  select raise(abort, 'the log is append-only');
end;
