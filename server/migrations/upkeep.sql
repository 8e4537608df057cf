-- The running processes of the portal. Each is seen every few seconds; the others delete a row that is not seen any more.
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
