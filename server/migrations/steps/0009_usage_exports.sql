-- Background exports: asked for by one person, made by a job, kept as a file for some days.
create table usage_export (
  customer_number customer_number not null references account,
  id              uuid not null default gen_random_uuid(),
  requested_by    text not null check (requested_by = lower(requested_by)),
  request         jsonb not null,
  file_name       text not null,
  state           text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'expired')),
  -- how many transactions matched when it began
  total           integer,
  written         integer not null default 0,
  bytes           bigint not null default 0,
  requested_at    timestamptz not null,
  finished_at     timestamptz,
  kept_until      timestamptz,
  primary key (customer_number, id)
);
create index usage_export_by_person on usage_export (customer_number, requested_by, requested_at desc);
create index usage_export_by_age on usage_export (kept_until) where state = 'ready';
