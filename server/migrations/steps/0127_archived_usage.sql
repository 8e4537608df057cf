-- Months of usage can be archived: their transactions leave the database, their sums stay.
create table usage_archive (
  month        date primary key check (extract(day from month) = 1),
  file         text not null,
  sha256       text not null,
  transactions bigint not null,
  charge       numeric not null,
  hours        numeric not null,
  archived_at  timestamptz not null,
  archived_by  text not null,
  detached_at  timestamptz,
  detached_by  text
);

create table archived_usage_sum (
  customer_number text collate "C" not null,
  sums            text collate "C" not null
    check (sums in ('usage_day', 'usage_user_day', 'usage_project_day', 'usage_host_day', 'corrections')),
  day             date not null,
  activation_id   text collate "C" not null,
  name            text collate "C" not null,
  currency        text collate "C" not null,
  month           date not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, sums, day, activation_id, name, currency, month),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
);
create trigger archived_sums_stay before update on archived_usage_sum
  for each statement execute function refuse_change();
create trigger archived_sums_are_not_truncated before truncate on archived_usage_sum
  for each statement execute function refuse_change();

-- An archived month is not made again.
create or replace function create_usage_month(month timestamp) returns text language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  if to_regclass(partition) is not null then
    return null;
  end if;
  if exists (select 1 from usage_archive a where a.detached_at is not null and a.month >= create_usage_month.month) then
    raise exception 'usage of % is archived: nothing is booked there any more', to_char(month, 'YYYY-MM')
      using errcode = 'restrict_violation';
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
  if to_regclass('pg_dist_partition') is not null then
    execute 'select create_distributed_table($1, ''customer_number'', colocate_with => ''usage_transaction'')
      from pg_dist_partition where logicalrelid = ''usage_transaction''::regclass' using partition;
  end if;
  return partition;
end $$;

-- Archived sums are part of the sums.
create or replace function rebuild_usage_sums(customer text) returns void language plpgsql as $$
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
  insert into usage_day (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_day' group by 2, 3, 4, 5;
  insert into usage_user_day (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_user_day' group by 2, 3, 4, 5;
  insert into usage_project_day (customer_number, day, activation_id, project, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_project_day' group by 2, 3, 4, 5;
  insert into usage_host_day (customer_number, day, activation_id, host, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_host_day' group by 2, 3, 4, 5;
  insert into usage_total (customer_number, activation_id, charge, hours, transactions)
  select customer, s.activation_id, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_day' group by 2;
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
