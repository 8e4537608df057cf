-- A customer number becomes plain text with its check in every table. On sharded tables, a condition on a column of a domain type
-- silently found no rows. Nothing is rewritten: the domain is stored as text. Its values have passed the domain's check, so they
-- are not read again for it. The months of usage are changed one by one, apart from the whole: indexes of the whole would be built
-- again. Of the others, only partial indexes are.

-- A column that a trigger names cannot change its type: such triggers are made again as they were.
create temp table trigger_to_restore on commit drop as
  select t.tgrelid::regclass::text as table_name, t.tgname::text as name, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = current_schema()::regnamespace
     and pg_get_triggerdef(t.oid) ~ 'customer_number';

drop function add_to_usage_days(customer_number, timestamptz[], text[], text[], text[], text[], text[], text[], numeric[], numeric[]);
drop function rebuild_usage_sums(customer_number);

do $$
declare
  letters constant text := '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  cheap constant text := format('length(customer_number) between 1 and 20 and translate(customer_number, %L, %L) = %2$L', letters, '');
  simple constant text := format('customer_number ~ %L', '^[A-Za-z0-9-]{1,20}$');
  item record;
begin
  for item in select * from trigger_to_restore loop
    execute format('drop trigger %I on %s', item.name, item.table_name);
  end loop;

  create temp table month_to_attach on commit drop as
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_transaction'::regclass and c.relname <> 'usage_transaction_running';
  for item in select * from month_to_attach loop
    execute format('alter table usage_transaction detach partition %I', item.name);
    execute format('alter table %I alter column customer_number type text collate "C"', item.name);
    execute format('alter table %I add constraint %I check (%s) not valid', item.name, item.name || '_customer_number_check', cheap);
  end loop;

  for item in
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = 'customer_number' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = current_schema()::regnamespace
       and (a.atttypid = 'customer_number'::regtype or c.relname = 'recent_account')
     order by c.relname
  loop
    execute format('alter table %I alter column customer_number type text collate "C"', item.name);
    -- What is checked for every row of usage has the cheaper form. The parts of usage_transaction have their own.
    if item.name <> 'usage_transaction' then
      execute format('alter table %I add constraint %I check (%s) not valid', item.name, item.name || '_customer_number_check',
        case when item.name in ('usage_receipt', 'usage_day', 'usage_user_day', 'usage_project_day', 'usage_host_day', 'usage_total')
             then cheap else simple end);
    end if;
  end loop;

  for item in select * from month_to_attach loop
    execute format('alter table usage_transaction attach partition %I %s', item.name, item.bounds);
  end loop;
  alter table usage_transaction_running drop constraint running_session_is_sound;
  execute format('alter table usage_transaction_running add constraint running_session_is_sound check (%s
    and charge is null and isfinite(started_at) and product_count > 0 and feature_count > 0 and project <> %L
    and last_heartbeat_at >= started_at and last_heartbeat_at < %L)', cheap, '', 'infinity');

  for item in select * from trigger_to_restore where name !~ '_change_is_noted$' loop
    execute item.definition;
  end loop;
end $$;
create trigger account_change_is_noted before update on account for each row
  when ((old.customer_number, old.name, old.org_type, old.export_control_status, old.is_access_disabled,
         old.support_email, old.time_zone)
        is distinct from (new.customer_number, new.name, new.org_type, new.export_control_status, new.is_access_disabled,
         new.support_email, new.time_zone))
  execute function note_change();
create trigger contact_change_is_noted before update on contact for each row
  when ((old.customer_number, old.email, old.role)
        is distinct from (new.customer_number, new.email, new.role))
  execute function note_change();
create trigger account_grant_change_is_noted before update on account_grant for each row
  when ((old.customer_number, old.email, old.kind)
        is distinct from (new.customer_number, new.email, new.kind))
  execute function note_change();
create trigger entitlement_change_is_noted before update on entitlement for each row
  when ((old.customer_number, old.activation_id, old.entitlement_id, old.part_number, old.product_name,
         old.license_model, old.type, old.subtype, old.state, old.line_item_quantity, old.units_per_line,
         old.start_date, old.end_date, old.version_date, old.po_number, old.order_id, old.currency, old.price,
         old.rate_table_version, old.fsa_id, old.is_manual, old.requester_email, old.ordered_at,
         old.created_at)
        is distinct from (new.customer_number, new.activation_id, new.entitlement_id, new.part_number, new.product_name,
         new.license_model, new.type, new.subtype, new.state, new.line_item_quantity, new.units_per_line,
         new.start_date, new.end_date, new.version_date, new.po_number, new.order_id, new.currency, new.price,
         new.rate_table_version, new.fsa_id, new.is_manual, new.requester_email, new.ordered_at,
         new.created_at))
  execute function note_change();
create trigger host_change_is_noted before update on host for each row
  when ((old.customer_number, old.host_id_type, old.host_id, old.host_name, old.port, old.is_borrowable, old.added_at,
         old.removed_at)
        is distinct from (new.customer_number, new.host_id_type, new.host_id, new.host_name, new.port, new.is_borrowable, new.added_at,
         new.removed_at))
  execute function note_change();
create trigger elastic_server_change_is_noted before update on elastic_server for each row
  when ((old.customer_number, old.device_id, old.alias)
        is distinct from (new.customer_number, new.device_id, new.alias))
  execute function note_change();

-- Both as before, with a plain customer number.
create function add_to_usage_days(customer text, ends timestamptz[], activation_ids text[], products text[],
                                  users text[], projects text[], hosts text[], currencies text[], charges numeric[],
                                  session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone text;
begin
  select a.time_zone into strict zone from account a where a.customer_number = customer;
  with s as materialized (
    select (b.ends_at at time zone zone)::date as day, b.activation_id, b.product, b.user_name, b.host, b.currency,
           coalesce(b.project, '') as project, b.charge, b.hours
      from unnest(ends, activation_ids, products, users, projects, hosts, currencies, charges, session_hours)
        as b (ends_at, activation_id, product, user_name, project, host, currency, charge, hours)
  ), by_user as (
    insert into usage_user_day as kept (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
    select customer, s.day, s.activation_id, s.user_name, s.currency, sum(s.charge), sum(s.hours), count(*)
      from s group by 2, 3, 4, 5
    on conflict (customer_number, day, activation_id, user_name, currency) do update
       set charge = kept.charge + excluded.charge,
           hours = kept.hours + excluded.hours,
           transactions = kept.transactions + excluded.transactions
  ), by_host as (
    insert into usage_host_day as kept (customer_number, day, activation_id, host, currency, charge, hours, transactions)
    select customer, s.day, s.activation_id, s.host, s.currency, sum(s.charge), sum(s.hours), count(*)
      from s group by 2, 3, 4, 5
    on conflict (customer_number, day, activation_id, host, currency) do update
       set charge = kept.charge + excluded.charge,
           hours = kept.hours + excluded.hours,
           transactions = kept.transactions + excluded.transactions
  ), by_project as (
    insert into usage_project_day as kept (customer_number, day, activation_id, project, currency, charge, hours, transactions)
    select customer, s.day, s.activation_id, s.project, s.currency, sum(s.charge), sum(s.hours), count(*)
      from s group by 2, 3, 4, 5
    on conflict (customer_number, day, activation_id, project, currency) do update
       set charge = kept.charge + excluded.charge,
           hours = kept.hours + excluded.hours,
           transactions = kept.transactions + excluded.transactions
  ), in_total as (
    insert into usage_total as kept (customer_number, activation_id, charge, hours, transactions)
    select customer, s.activation_id, sum(s.charge), sum(s.hours), count(*) from s group by 2
    on conflict (customer_number, activation_id) do update
       set charge = kept.charge + excluded.charge,
           hours = kept.hours + excluded.hours,
           transactions = kept.transactions + excluded.transactions
  )
  insert into usage_day as kept (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.product, s.currency, sum(s.charge), sum(s.hours), count(*)
    from s group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, product, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
end $$;

create function rebuild_usage_sums(customer text) returns void language plpgsql as $$
declare
  step   constant interval := interval '30 days';
  first  timestamptz;
  last   timestamptz;
  booked record;
begin
  delete from usage_day d where d.customer_number = customer;
  delete from usage_user_day d where d.customer_number = customer;
  delete from usage_project_day d where d.customer_number = customer;
  delete from usage_host_day d where d.customer_number = customer;
  delete from usage_total t where t.customer_number = customer;
  select min(u.ends_at), max(u.ends_at) into first, last
    from usage_transaction u where u.customer_number = customer and u.ends_at < 'infinity';
  while first <= last loop
    select array_agg(u.ends_at) as ends, array_agg(u.activation_id) as activation_ids, array_agg(u.product) as products,
           array_agg(u.user_name) as users, array_agg(u.project) as projects, array_agg(u.host) as hosts,
           array_agg(u.currency) as currencies, array_agg(u.charge) as charges, array_agg(u.hours) as hours
      into booked
      from usage_transaction u
     where u.customer_number = customer and u.ends_at >= first and u.ends_at < first + step;
    perform add_to_usage_days(customer, booked.ends, booked.activation_ids, booked.products, booked.users,
                              booked.projects, booked.hosts, booked.currencies, booked.charges, booked.hours);
    first := first + step;
  end loop;
end $$;

-- With the check of the customer number.
create or replace function create_usage_month(month timestamp) returns text language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  if to_regclass(partition) is not null then
    return null;
  end if;
  execute format('create table %I (like usage_transaction including defaults including generated)', partition);
  execute format('alter table %1$I
    add check (length(customer_number) between 1 and 20 and translate(customer_number, %2$L, %3$L) = %3$L),
    add check (isfinite(started_at)),
    add check (ends_at >= started_at),
    add check (isfinite(ends_at) = (charge is not null)),
    add check (charge is null or activation_id is not null),
    add check (charge >= 0 or corrects is not null),
    add check (corrects is null or charge <= 0),
    add check (product_count > 0),
    add check (feature_count > 0),
    add check (project <> %3$L),
    add check (cloud_job_id <> %3$L)', partition,
    '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '');
  perform guard_usage_partition(partition);
  execute format('create trigger usage_correction_fits before insert on %I
    for each row when (new.corrects is not null) execute function check_correction()', partition);
  return partition;
end $$;

drop domain customer_number;
