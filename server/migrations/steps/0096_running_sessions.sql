-- A running session was two rows: the usage row that screens show, written with seventeen indexes, and the row that
-- heartbeats changed. It is one row now, in the part of usage_transaction without an end. That part keeps three indexes: the
-- key, the session id and the start. The other indexes, most checks and the trigger of corrections belong to the months, where
-- usage is booked. PostgreSQL prepares each of them again for every statement, which would slow down every start.
alter table usage_transaction
  add column last_heartbeat_at timestamptz(3),
  -- for one count of the product, by the rate table that applied at the start
  add column units_per_hour numeric(12, 4);

-- A heartbeat changes nothing but the row itself.
alter table usage_transaction_running set (fillfactor = 70);
drop trigger usage_is_booked on usage_transaction_running;
drop trigger usage_partition_is_append_only on usage_transaction_running;
update usage_transaction_running r
   set last_heartbeat_at = s.last_heartbeat_at, units_per_hour = s.units_per_hour
  from elastic_session s
 where s.customer_number = r.customer_number and s.transaction_number = r.transaction_number;
drop table elastic_session;
create trigger usage_partition_is_append_only before delete or truncate on usage_transaction_running
  for each statement execute function refuse_change();
do $$
declare
  kept text;
begin
  select string_agg(quote_ident(attname), ', ') into kept from pg_attribute
   where attrelid = 'usage_transaction_running'::regclass and attnum > 0 and not attisdropped
     and attgenerated = '' and attname <> 'last_heartbeat_at';
  execute 'create trigger usage_changes_by_heartbeat before update of ' || kept || ' on usage_transaction_running
    for each statement execute function refuse_change()';
  select string_agg(quote_ident(attname), ', ') into kept from pg_attribute
   where attrelid = 'usage_transaction'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     and attname not in ('session_status', 'ends_at', 'activation_id', 'charge', 'arrived_at', 'last_heartbeat_at',
                         'units_per_hour');
  execute 'create trigger usage_changes_by_its_end before update of ' || kept || ' on usage_transaction
    for each statement execute function refuse_change()';
end $$;

-- The indexes that a month has and the running part does not. All are (customer, column, …the list's key), followed by the end,
-- so that a time range is decided in the index; hours and cost are added up by currency without a look into the table. Every
-- entry is unique, so looking for duplicates before a page is split would find none.
create function index_usage_month(partition text) returns void language plpgsql as $$
declare
  kind record;
begin
  for kind in
    select * from (values
      ('end', '(customer_number, ends_at, started_at, transaction_number)'),
      ('charge', '(customer_number, charge, started_at, transaction_number, ends_at)'),
      ('count', '(customer_number, product_count, started_at, transaction_number, ends_at)'),
      ('hours', '(customer_number, hours, started_at, transaction_number, ends_at)'),
      ('product', '(customer_number, product, started_at, transaction_number, ends_at)'),
      ('user', '(customer_number, user_name, started_at, transaction_number, ends_at)'),
      ('host', '(customer_number, host, started_at, transaction_number, ends_at)'),
      ('project', '(customer_number, project, started_at, transaction_number, ends_at)'),
      ('status', '(customer_number, session_status, started_at, transaction_number, ends_at)'),
      ('version', '(customer_number, product_version, started_at, transaction_number, ends_at)'),
      ('external_ip', '(customer_number, external_ip, started_at, transaction_number, ends_at)'),
      ('currency', '(customer_number, currency, started_at, transaction_number, ends_at) include (hours, charge)'),
      ('cloud_job', '(customer_number, cloud_job_id, started_at, transaction_number, ends_at)')
    ) as k (name, definition)
  loop
    execute format('create index %I on %I %s with (deduplicate_items = off)', partition || '_by_' || kind.name, partition,
      kind.definition);
  end loop;
  execute format('create index %I on %I (customer_number, corrects) where corrects is not null',
    partition || '_by_corrections', partition);
end $$;

-- As in 0020, with the checks of finished sessions.
create or replace function create_usage_month(month timestamp) returns text language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  if to_regclass(partition) is not null then
    return null;
  end if;
  execute format('create table %I (like usage_transaction including defaults including generated)', partition);
  execute format('alter table %I
    add check (isfinite(started_at)),
    add check (ends_at >= started_at),
    add check (isfinite(ends_at) = (charge is not null)),
    add check (charge is null or activation_id is not null),
    add check (charge >= 0 or corrects is not null),
    add check (corrects is null or charge <= 0),
    add check (product_count > 0),
    add check (feature_count > 0),
    add check (project <> %L),
    add check (cloud_job_id <> %L)', partition, '', '');
  perform guard_usage_partition(partition);
  execute format('create trigger usage_correction_fits before insert on %I
    for each row when (new.corrects is not null) execute function check_correction()', partition);
  return partition;
end $$;

-- As in 0020, but the month gets its own indexes and keeps the trigger of corrections.
create or replace function attach_usage_month(month timestamp) returns void language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform index_usage_month(partition);
  execute format('alter table usage_transaction attach partition %I for values from (%L) to (%L)',
    partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
end $$;

-- Existing months keep their checks and indexes, because detaching a month does not drop them. The indexes get the names that
-- index_usage_month gives.
do $$
declare
  part    record;
  copied  record;
  checked record;
begin
  create temp table months on commit drop as
    select c.oid, c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_transaction'::regclass and c.relname <> 'usage_transaction_running';
  for part in select * from months loop
    for copied in
      select child.relname as name, replace(replace(whole.relname, 'usage_by_', ''), 'usage_', '') as kind
        from pg_index x
        join pg_inherits i on i.inhrelid = x.indexrelid
        join pg_class child on child.oid = i.inhrelid
        join pg_class whole on whole.oid = i.inhparent
       where x.indrelid = part.oid and whole.relname like 'usage\_%' and not x.indisprimary
         and whole.relname not in ('usage_by_start', 'usage_by_session')
    loop
      execute format('alter index %I rename to %I', copied.name, part.name || '_by_' || copied.kind);
      if copied.kind <> 'corrections' then
        execute format('alter index %I set (deduplicate_items = off)', part.name || '_by_' || copied.kind);
      end if;
    end loop;
    execute format('alter table usage_transaction detach partition %I', part.name);
    execute format('create trigger usage_correction_fits before insert on %I
      for each row when (new.corrects is not null) execute function check_correction()', part.name);
  end loop;
  drop trigger usage_correction_fits on usage_transaction;
  for checked in
    select conname as name from pg_constraint where conrelid = 'usage_transaction'::regclass and contype = 'c'
  loop
    execute format('alter table usage_transaction drop constraint %I', checked.name);
  end loop;
  drop index usage_by_end, usage_by_charge, usage_by_count, usage_by_hours, usage_by_product, usage_by_user, usage_by_host,
    usage_by_project, usage_by_status, usage_by_version, usage_by_external_ip, usage_by_currency, usage_by_cloud_job,
    usage_corrections;
  alter table usage_transaction_running add constraint running_session_is_sound check (
    charge is null and isfinite(started_at) and product_count > 0 and feature_count > 0 and project <> ''
    and last_heartbeat_at >= started_at and last_heartbeat_at < 'infinity');
  -- A running session has no hours. Before PostgreSQL 17 they are computed in vain.
  if current_setting('server_version_num')::int >= 170000 then
    execute 'alter table usage_transaction_running alter column hours set expression as (null::numeric)';
  end if;
  for part in select * from months loop
    execute format('alter table usage_transaction attach partition %I %s', part.name, part.bounds);
  end loop;
end $$;
