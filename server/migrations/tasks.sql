-- after: accounts
-- Background tasks: requested by one person, made by a job, kept for some days (docs/decisions/0018-a-task-is-a-row-a-job-runs-it.md).
create table background_task (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              uuid not null default gen_random_uuid(),
  kind            text not null check (kind ~ '^[a-z-]{1,50}$'),
  requested_by    text not null check (requested_by = lower(requested_by collate "C")),
  request         jsonb not null,
  -- the request in one comparable form, so that an equal one finds the task again
  request_key     bytea,
  file_name       text not null,
  state           text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'expired')),
  failure         text check (failure in ('no-space', 'person-quota', 'account-quota', 'too-much', 'died', 'error')),
  -- counts the attempts: one that was taken for dead, and replaced, writes nothing more
  attempt         integer not null default 0,
  -- attempts whose process ended under them
  deaths          integer not null default 0,
  -- how much there was to do when it began, and how much has been done, in the unit of the kind
  total           integer,
  done            integer not null default 0,
  bytes           bigint not null default 0,
  -- Which state of the data the task was made from, in a form that its kind can compare. Exact to the microsecond, which
  -- an instant is not once it has been through JavaScript.
  as_of           text,
  requested_at    timestamptz not null,
  finished_at     timestamptz,
  kept_until      timestamptz,
  -- null while nobody has downloaded the file: it is waiting for its person
  downloaded_at   timestamptz,
  primary key (customer_number, id)
);
create index background_task_by_person on background_task (customer_number, requested_by, requested_at desc);
-- The list of a person's tasks on all accounts.
create index background_task_of_person on background_task (requested_by, requested_at desc);
create index background_task_by_age on background_task (kept_until) where state = 'ready';
-- What counts toward the quotas of a person, over all accounts.
create index background_task_kept_by_person on background_task (requested_by) where state in ('waiting', 'running', 'ready');

-- The files of tasks are kept here in pieces, so that every process of an installation, on any machine, can serve the
-- files of another one (docs/decisions/0102-files-of-tasks-in-the-database.md).
create table task_piece (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  task_id         uuid not null,
  -- which attempt of the task wrote it
  attempt         integer not null,
  -- from 0; all pieces but the last hold equally many bytes of the file
  number          integer not null,
  -- compressed (zstd)
  bytes           bytea not null,
  primary key (customer_number, task_id, attempt, number),
  foreign key (customer_number, task_id) references background_task on delete cascade
);
-- What is compressed already is not worth another try.
alter table task_piece alter column bytes set storage external;
