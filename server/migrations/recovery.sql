-- Backups and drills: what was run, and how it ended. A running one is seen every few seconds; one that is not seen any more
-- was interrupted.
create table recovery_run (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('backup', 'drill')),
  state           text not null default 'running' check (state in ('running', 'done', 'failed')),
  begun_by        text not null,
  machine         text not null,
  begun_at        timestamptz not null,
  seen_at         timestamptz not null default now(),
  ended_at        timestamptz,
  file            text,
  bytes           bigint,
  -- rows in the backup
  row_count       bigint,
  -- The instant of the backup, and the newest entry of its audit log.
  as_of           timestamptz,
  newest_entry_at timestamptz,
  -- milliseconds: the age of the backup when the drill began, and how long the restore and its checks took
  recovery_point  bigint,
  recovery_time   bigint,
  failure         text,
  -- what the checks found in the restored database
  findings        jsonb not null default '[]',
  check ((state = 'running') = (ended_at is null)),
  check ((state = 'failed') = (failure is not null))
);
create index recovery_run_by_begin on recovery_run (kind, begun_at);
