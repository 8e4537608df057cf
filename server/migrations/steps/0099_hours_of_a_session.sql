-- The least of 0.01 hours is for a session as a whole. Corrections, and the further parts of a charge that was split over
-- several entitlements, have 0 hours: so the hours of a session add up to its length. A further part now says what it is.
alter table usage_transaction add column continues boolean not null default false;

do $$
declare
  month record;
begin
  for month in
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_transaction'::regclass and c.relname <> 'usage_transaction_running'
  loop
    -- Parts of one transaction have its id and its end. The first one has its start; the others begin where it ends.
    execute format('alter table %I disable trigger user', month.name);
    execute format(
      'update %1$I u set continues = true
        where u.corrects is null and u.started_at = u.ends_at and exists (
          select 1 from %1$I o
           where o.customer_number = u.customer_number and o.session_id = u.session_id and o.ends_at = u.ends_at
             and o.corrects is null
             and (o.started_at, o.transaction_number) < (u.started_at, u.transaction_number))', month.name);
    execute format('alter table %I enable trigger user', month.name);
  end loop;
end $$;

-- Only PostgreSQL 17 and later can change what a column is generated from. Dropping it drops two indexes of every month.
alter table usage_transaction drop column hours;
alter table usage_transaction add column hours numeric(12, 2) generated always as (
  case when not isfinite(ends_at) then null
       when continues or corrects is not null then 0
       else greatest(0.01, round(extract(epoch from ends_at - started_at) / 3600, 2)) end) stored;

do $$
declare
  month record;
begin
  -- As in 0096: a running session has no hours, and two of the indexes of a month.
  if current_setting('server_version_num')::int >= 170000 then
    execute 'alter table usage_transaction_running alter column hours set expression as (null::numeric)';
  end if;
  for month in
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_transaction'::regclass and c.relname <> 'usage_transaction_running'
  loop
    execute format('create index %I on %I (customer_number, hours, started_at, transaction_number, ends_at)
      with (deduplicate_items = off)', month.name || '_by_hours', month.name);
    execute format('create index %I on %I (customer_number, currency, started_at, transaction_number, ends_at)
      include (hours, charge) with (deduplicate_items = off)', month.name || '_by_currency', month.name);
  end loop;
end $$;

-- Their sums have hours that the rows no longer have.
insert into usage_rebuild (customer_number, rebuilt_at, rebuilt_by)
select distinct u.customer_number, now(), 'migration' from usage_transaction u
 where u.ends_at < 'infinity' and (u.continues or u.corrects is not null);
