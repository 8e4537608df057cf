-- More sums of usage, all written by the statement that books: per user and day, per project and day, and per entitlement
-- (what is left of a balance must not cost a walk over all its days). Like usage_day, nothing else writes them.
create table usage_user_day (
  customer_number customer_number not null,
  day             date not null,
  activation_id   text collate "C" not null,
  user_name       text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, user_name, currency)
);

-- Usage that names no project has the empty one.
create table usage_project_day (
  customer_number customer_number not null,
  day             date not null,
  activation_id   text collate "C" not null,
  project         text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, project, currency)
);

create table usage_total (
  customer_number customer_number not null,
  activation_id   text collate "C" not null,
  charge          numeric(18, 2) not null,
  hours           numeric(16, 2) not null,
  transactions    bigint not null,
  primary key (customer_number, activation_id)
);

insert into usage_user_day
select u.customer_number, (u.ends_at at time zone a.time_zone)::date, u.activation_id, u.user_name, u.currency,
       sum(u.charge), sum(u.hours), count(*)
  from usage_transaction u join account a on a.customer_number = u.customer_number
 where u.ends_at < 'infinity' group by 1, 2, 3, 4, 5;
insert into usage_project_day
select u.customer_number, (u.ends_at at time zone a.time_zone)::date, u.activation_id, coalesce(u.project, ''), u.currency,
       sum(u.charge), sum(u.hours), count(*)
  from usage_transaction u join account a on a.customer_number = u.customer_number
 where u.ends_at < 'infinity' group by 1, 2, 3, 4, 5;
insert into usage_total
select d.customer_number, d.activation_id, sum(d.charge), sum(d.hours), sum(d.transactions)
  from usage_day d group by 1, 2;

create trigger usage_users_follow_booking before insert or update or delete or truncate on usage_user_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_projects_follow_booking before insert or update or delete or truncate on usage_project_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_totals_follow_booking before insert or update or delete or truncate on usage_total
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();

-- Adds finished sessions of one account to its sums. This is the only place where usage is summed.
drop function add_to_usage_days(customer_number, timestamptz[], text[], text[], text[], numeric[], numeric[]);
create function add_to_usage_days(customer customer_number, ends timestamptz[], activation_ids text[], products text[],
                                  users text[], projects text[], currencies text[], charges numeric[],
                                  session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone text;
begin
  select a.time_zone into strict zone from account a where a.customer_number = customer;
  with s as materialized (
    select (b.ends_at at time zone zone)::date as day, b.activation_id, b.product, b.user_name, b.currency,
           coalesce(b.project, '') as project, b.charge, b.hours
      from unnest(ends, activation_ids, products, users, projects, currencies, charges, session_hours)
        as b (ends_at, activation_id, product, user_name, project, currency, charge, hours)
  ), by_user as (
    insert into usage_user_day as kept (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
    select customer, s.day, s.activation_id, s.user_name, s.currency, sum(s.charge), sum(s.hours), count(*)
      from s group by 2, 3, 4, 5
    on conflict (customer_number, day, activation_id, user_name, currency) do update
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

-- As in 0020, with users and projects among what is added.
create or replace function book_usage() returns trigger language plpgsql as $$
declare
  booked  record;
  arrival record;
begin
  perform lock_accounts(array(select distinct w.customer_number from written w where isfinite(w.ends_at)));

  for arrival in
    select w.customer_number, w.server_id, max(w.arrived_at) as newest from written w group by 1, 2 order by 1, 2
  loop
    update elastic_server s set usage_arrived_at = greatest(s.usage_arrived_at, arrival.newest)
     where s.customer_number = arrival.customer_number and s.device_id = arrival.server_id;
    if not found then
      raise exception 'usage names a server that its account does not have' using errcode = 'foreign_key_violation';
    end if;
  end loop;

  for booked in
    select w.customer_number, array_agg(w.ends_at) as ends, array_agg(w.activation_id) as activation_ids,
           array_agg(w.product) as products, array_agg(w.user_name) as users, array_agg(w.project) as projects,
           array_agg(w.currency) as currencies, array_agg(w.charge) as charges, array_agg(w.hours) as hours
      from written w where isfinite(w.ends_at) group by 1 order by 1
  loop
    perform add_to_usage_days(booked.customer_number, booked.ends, booked.activation_ids, booked.products, booked.users,
                              booked.projects, booked.currencies, booked.charges, booked.hours);
  end loop;
  return null;
end $$;

-- Sums of one account from its rows, in steps that fit into memory. The caller holds the account's lock.
create function rebuild_usage_sums(customer customer_number) returns void language plpgsql as $$
declare
  step   constant interval := interval '30 days';
  first  timestamptz;
  last   timestamptz;
  booked record;
begin
  delete from usage_day d where d.customer_number = customer;
  delete from usage_user_day d where d.customer_number = customer;
  delete from usage_project_day d where d.customer_number = customer;
  delete from usage_total t where t.customer_number = customer;
  select min(u.ends_at), max(u.ends_at) into first, last
    from usage_transaction u where u.customer_number = customer and u.ends_at < 'infinity';
  while first <= last loop
    select array_agg(u.ends_at) as ends, array_agg(u.activation_id) as activation_ids, array_agg(u.product) as products,
           array_agg(u.user_name) as users, array_agg(u.project) as projects, array_agg(u.currency) as currencies,
           array_agg(u.charge) as charges, array_agg(u.hours) as hours
      into booked
      from usage_transaction u
     where u.customer_number = customer and u.ends_at >= first and u.ends_at < first + step;
    perform add_to_usage_days(customer, booked.ends, booked.activation_ids, booked.products, booked.users,
                              booked.projects, booked.currencies, booked.charges, booked.hours);
    first := first + step;
  end loop;
end $$;

-- When an account moves to another time zone, its days are other days.
create or replace function rebook_moved_account() returns trigger language plpgsql as $$
begin
  perform rebuild_usage_sums(new.customer_number);
  return null;
end $$;

-- Whoever has the sums made anew leaves a row here, and its trigger does it: the sums themselves still refuse everybody.
create table usage_rebuild (
  customer_number customer_number not null references account,
  rebuilt_at      timestamptz not null,
  rebuilt_by      text not null,
  primary key (customer_number, rebuilt_at)
);
create function rebuild_on_request() returns trigger language plpgsql as $$
begin
  perform lock_accounts(array[new.customer_number]);
  perform rebuild_usage_sums(new.customer_number);
  return null;
end $$;
create trigger usage_is_rebuilt after insert on usage_rebuild for each row execute function rebuild_on_request();
