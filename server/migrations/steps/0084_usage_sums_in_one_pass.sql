-- Sums per host were kept by a second trigger (0058), which read every batch once more for each of its accounts. They join
-- the other sums: the statement that writes usage fires one trigger, and that reads the batch once.
drop trigger usage_is_summed_by_host on usage_transaction;
drop trigger usage_is_summed_by_host_at_end on usage_transaction;
do $$
declare
  partition record;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'usage_transaction'::regclass
  loop
    execute format('drop trigger usage_is_summed_by_host on %I', partition.relname);
  end loop;
end $$;
drop trigger usage_hosts_follow_the_zone on account;
drop trigger usage_is_rebuilt_by_host on usage_rebuild;
drop function sum_usage_by_host();
drop function sum_partition_by_host(text);
drop function rebuild_usage_by_host();

-- As in 0020.
create or replace function guard_usage_partition(partition text) returns void language plpgsql as $$
begin
  execute format('create trigger usage_is_booked after insert on %I
    referencing new table as written for each statement execute function book_usage()', partition);
  execute format('create trigger usage_partition_is_append_only before update or delete or truncate on %I
    for each statement execute function refuse_change()', partition);
end $$;

-- Adds finished sessions of one account to its sums. This is the only place where usage is summed.
drop function add_to_usage_days(customer_number, timestamptz[], text[], text[], text[], text[], text[], numeric[], numeric[]);
create function add_to_usage_days(customer customer_number, ends timestamptz[], activation_ids text[], products text[],
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

-- As in 0061, with hosts among what is added.
create or replace function book_usage() returns trigger language plpgsql as $$
declare
  is_finished constant boolean := exists (select from written w where isfinite(w.ends_at));
  booked      record;
  arrival     record;
begin
  if is_finished then
    perform lock_accounts(array(select distinct w.customer_number from written w where isfinite(w.ends_at)));
  end if;

  for arrival in
    select w.customer_number, w.server_id, max(w.arrived_at) as newest from written w group by 1, 2 order by 1, 2
  loop
    update elastic_server s set usage_arrived_at = greatest(s.usage_arrived_at, arrival.newest)
     where s.customer_number = arrival.customer_number and s.device_id = arrival.server_id;
    if not found then
      raise exception 'usage names a server that its account does not have' using errcode = 'foreign_key_violation';
    end if;
  end loop;

  if is_finished then
    for booked in
      select w.customer_number, array_agg(w.ends_at) as ends, array_agg(w.activation_id) as activation_ids,
             array_agg(w.product) as products, array_agg(w.user_name) as users, array_agg(w.project) as projects,
             array_agg(w.host) as hosts, array_agg(w.currency) as currencies, array_agg(w.charge) as charges,
             array_agg(w.hours) as hours
        from written w where isfinite(w.ends_at) group by 1 order by 1
    loop
      perform add_to_usage_days(booked.customer_number, booked.ends, booked.activation_ids, booked.products, booked.users,
                                booked.projects, booked.hosts, booked.currencies, booked.charges, booked.hours);
    end loop;
  end if;
  return null;
end $$;

-- Sums of one account from its rows, in steps that fit into memory. The caller holds the account's lock.
create or replace function rebuild_usage_sums(customer customer_number) returns void language plpgsql as $$
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

-- Claims the ids of transactions, and answers those that were claimed before. Usually these are none: a plain insert costs
-- half of one that expects conflicts. Each id comes once.
create function claim_usage_receipts(customers text[], ids text[]) returns table (taken_customer text, taken_id text)
language plpgsql as $$
begin
  insert into usage_receipt (customer_number, id) select * from unnest(customers, ids);
exception when unique_violation then
  return query
    with sent as materialized (
      select * from unnest(customers, ids) as s (customer_number, id)
    ), claimed as (
      insert into usage_receipt (customer_number, id) select s.customer_number, s.id from sent s
      on conflict do nothing returning customer_number, id
    )
    select s.customer_number, s.id from sent s
     where not exists (select from claimed c where c.customer_number = s.customer_number and c.id = s.id);
end $$;
