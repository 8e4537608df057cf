-- Backups and drills: what was run, and how it ended. Earlier backups are in the audit log, without their files.
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
  row_count       bigint,
  as_of           timestamptz,
  newest_entry_at timestamptz,
  recovery_point  bigint,
  recovery_time   bigint,
  failure         text,
  findings        jsonb not null default '[]',
  check ((state = 'running') = (ended_at is null)),
  check ((state = 'failed') = (failure is not null))
);
create index recovery_run_by_begin on recovery_run (kind, begun_at);

insert into recovery_run (kind, state, begun_by, machine, begun_at, seen_at, ended_at, bytes, row_count, as_of)
select 'backup', 'done', email, '', at, at, at, (after ->> 'bytes')::bigint, (after ->> 'rows')::bigint, at
  from audit_log where customer_number = '' and action = 'backup' and outcome = 'done' order by at;
