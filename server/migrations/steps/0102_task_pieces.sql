-- The files of background tasks are kept here in pieces, so that every process of an installation, on whatever machine, can
-- serve what another one has made (docs/decisions/0102).
create table task_piece (
  customer_number customer_number not null,
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

-- Counts the attempts: one that was taken for dead, and replaced, writes nothing more.
alter table background_task add column attempt integer not null default 0;

-- Files of earlier versions lie in a folder of the machine that made them. People request them again.
update background_task set state = 'expired' where state = 'ready';
