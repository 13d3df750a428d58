-- What players report (S3), with what there was to be seen then.
create table reports (
  id text primary key,
  reporter_id text not null,
  player_id text,           -- the one who is reported, if it is about somebody
  table_id text,
  line integer,             -- the number of a chat's event
  reason text not null,
  text text,
  scenery text,             -- the table as it was, JSON without names and chat
  state text not null,      -- 'open' or 'closed'
  created_at integer not null,
  closed_at integer,
  note text                 -- the operator's, when he closed it
) strict, without rowid;
create index reports_by_age on reports (state, created_at, id);
create index reports_by_reporter on reports (reporter_id);
create index reports_by_player on reports (player_id);

-- The chat around a report, as it was. By author, since his lines go when he deletes himself.
create table report_lines (
  report_id text not null references reports (id),
  seq integer not null,
  author_id text not null,
  at integer not null,
  text text not null,
  primary key (report_id, seq)
) strict, without rowid;
create index report_lines_by_author on report_lines (author_id);
