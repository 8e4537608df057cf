-- Usage is booked in one place. Whatever statement writes usage_transaction, its trigger adds the rows to the sums per day;
-- nothing else writes usage_day. The tables can be sharded by customer: each statement of these functions on a table names
-- one customer, because a shard's trigger reaches no other shard, and no variable has the row type of a table, because the
-- table has another name there.

-- One booking at a time per account. Everybody locks accounts in this order, and before anything else of theirs.
create function lock_accounts(customers text[]) returns void language plpgsql as $$
declare
  wanted record;
begin
  for wanted in select distinct c collate "C" as customer_number from unnest(customers) c order by 1 loop
    perform from account a where a.customer_number = wanted.customer_number for no key update;
  end loop;
end $$;

-- Adds finished sessions of one account to its days. This is the only place where usage is summed.
create function add_to_usage_days(customer customer_number, ends timestamptz[], activation_ids text[], products text[],
                                  currencies text[], charges numeric[], session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone text;
begin
  select a.time_zone into strict zone from account a where a.customer_number = customer;
  insert into usage_day as kept (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, (s.ends_at at time zone zone)::date, s.activation_id, s.product, s.currency,
         sum(s.charge), sum(s.hours), count(*)
    from unnest(ends, activation_ids, products, currencies, charges, session_hours)
      as s (ends_at, activation_id, product, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, product, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
end $$;

-- Runs with every statement that writes usage, and in its transaction: rows and sums cannot drift apart. The lock on the
-- account also holds its time zone, which decides the day. Sessions that are still running add nothing and need no lock.
-- The order of locks is accounts, servers, days.
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
           array_agg(w.product) as products, array_agg(w.currency) as currencies, array_agg(w.charge) as charges,
           array_agg(w.hours) as hours
      from written w where isfinite(w.ends_at) group by 1 order by 1
  loop
    perform add_to_usage_days(booked.customer_number, booked.ends, booked.activation_ids, booked.products,
                              booked.currencies, booked.charges, booked.hours);
  end loop;
  return null;
end $$;

-- When an account moves to another time zone, its days are other days. They are made anew in steps that fit into memory.
create or replace function rebook_moved_account() returns trigger language plpgsql as $$
declare
  step   constant interval := interval '30 days';
  first  timestamptz;
  last   timestamptz;
  booked record;
begin
  delete from usage_day d where d.customer_number = new.customer_number;
  select min(u.ends_at), max(u.ends_at) into first, last
    from usage_transaction u where u.customer_number = new.customer_number and u.ends_at < 'infinity';
  while first <= last loop
    select array_agg(u.ends_at) as ends, array_agg(u.activation_id) as activation_ids, array_agg(u.product) as products,
           array_agg(u.currency) as currencies, array_agg(u.charge) as charges, array_agg(u.hours) as hours
      into booked
      from usage_transaction u
     where u.customer_number = new.customer_number and u.ends_at >= first and u.ends_at < first + step;
    perform add_to_usage_days(new.customer_number, booked.ends, booked.activation_ids, booked.products,
                              booked.currencies, booked.charges, booked.hours);
    first := first + step;
  end loop;
  return null;
end $$;

-- A correction names a booked transaction of the same entitlement and never takes back more than was charged. The lock on
-- the account makes corrections wait for each other.
create or replace function check_correction() returns trigger language plpgsql as $$
declare
  charged   numeric;
  corrected numeric;
begin
  perform lock_accounts(array[new.customer_number]);
  select u.charge into charged from usage_transaction u
   where u.customer_number = new.customer_number and u.transaction_number = new.corrects and u.corrects is null
     and u.activation_id = new.activation_id and u.currency = new.currency;
  if charged is null then
    raise exception 'a correction needs a booked transaction of the same entitlement' using errcode = 'check_violation';
  end if;
  select coalesce(sum(u.charge), 0) into corrected from usage_transaction u
   where u.customer_number = new.customer_number and u.corrects = new.corrects;
  if charged + corrected + new.charge < 0 then
    raise exception 'a correction takes back more than transaction % was charged', new.corrects
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The sums belong to the booking: its trigger writes them, and no statement does so directly.
create function refuse_outside_booking() returns trigger language plpgsql as $$
begin
  raise exception '% follows the booked usage: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger usage_days_follow_booking before insert or update or delete or truncate on usage_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();

-- Statement triggers of the whole table are silent when a statement names one of its partitions: each has its own.
create function guard_usage_partition(partition text) returns void language plpgsql as $$
begin
  execute format('create trigger usage_is_booked after insert on %I
    referencing new table as written for each statement execute function book_usage()', partition);
  execute format('create trigger usage_partition_is_append_only before update or delete or truncate on %I
    for each statement execute function refuse_change()', partition);
end $$;
select guard_usage_partition(c.relname)
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_transaction'::regclass;

-- Makes the table of a month (UTC) without its indexes, and answers its name, or null if the month is there already.
-- What is inserted now is booked like everything else. Corrections are refused until the month is attached, as the
-- transactions that they correct cannot be seen yet.
create function create_usage_month(month timestamp) returns text language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  if to_regclass(partition) is not null then
    return null;
  end if;
  execute format('create table %I (like usage_transaction including defaults including generated including constraints)',
    partition);
  perform guard_usage_partition(partition);
  execute format('create trigger usage_correction_fits before insert on %I
    for each row when (new.corrects is not null) execute function check_correction()', partition);
  return partition;
end $$;

-- Makes a month part of the whole: its indexes are built, and the row triggers of the whole take over.
create function attach_usage_month(month timestamp) returns void language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  execute format('drop trigger usage_correction_fits on %I', partition);
  execute format('alter table usage_transaction attach partition %I for values from (%L) to (%L)',
    partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
end $$;

-- Makes the months from one instant to another. Made apart and then attached: readers go on meanwhile.
create or replace function ensure_usage_partitions(from_instant timestamptz, to_instant timestamptz) returns integer
language plpgsql as $$
declare
  month timestamp := date_trunc('month', from_instant at time zone 'UTC');
  made  integer := 0;
begin
  while month <= to_instant at time zone 'UTC' loop
    if create_usage_month(month) is not null then
      perform attach_usage_month(month);
      made := made + 1;
    end if;
    month := month + interval '1 month';
  end loop;
  return made;
end $$;
