-- Exports of usage become the first kind of background task. Every row, file and waiting job stays as it is.
alter table usage_export rename to background_task;
alter table background_task add column kind text not null default 'usage-export' check (kind ~ '^[a-z-]{1,50}$');
alter table background_task alter column kind drop default;
-- how much of `total` has been done, in whatever the kind counts
alter table background_task rename column written to done;

-- Which state of the data the task was made from, in a form that its kind can compare. Exact to the microsecond, which
-- an instant is not once it has been through JavaScript.
alter table background_task add column as_of text;
update background_task set as_of = extract(epoch from usage_as_of)::text where usage_as_of is not null;
alter table background_task drop column usage_as_of;

alter index usage_export_pkey rename to background_task_pkey;
alter index usage_export_by_person rename to background_task_by_person;
alter index usage_export_by_age rename to background_task_by_age;
alter index usage_export_kept_by_person rename to background_task_kept_by_person;

-- Expired files are removed by a job of another name. The job queue makes its tables itself, so they may not be there.
do $$
begin
  if to_regclass('jobs.schedule') is not null then
    delete from jobs.schedule where name = 'usage-exports-expire';
  end if;
end $$;
