-- The running processes of the portal, and the operations screen.
create table portal_process (
  id              uuid primary key,
  machine         text not null,
  pid             integer not null,
  version         text not null,
  state           text not null check (state in ('ready', 'draining')),
  started_at      timestamptz not null,
  seen_at         timestamptz not null default now(),
  -- the slowest statements that it has measured
  slow_statements jsonb not null default '[]'
);

insert into feature (position, name, is_default, description) values
  (27, 'operations', true, 'Operations: backups, messages, tasks and processes')
on conflict do nothing;
