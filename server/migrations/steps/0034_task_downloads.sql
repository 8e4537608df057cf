-- A finished file that nobody has downloaded yet is waiting for its person.
alter table background_task add column downloaded_at timestamptz;

-- The list of a person's tasks on all accounts.
create index background_task_of_person on background_task (requested_by, requested_at desc);
