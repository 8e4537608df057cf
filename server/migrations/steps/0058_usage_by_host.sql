-- Sums of usage per host and day, for chargeback. They are kept as those of 0051 are, by a trigger of their own that runs
-- after the one that books (triggers run in the order of their names), so that the account is locked already.
create table usage_host_day (
  customer_number customer_number not null,
  day             date not null,
  activation_id   text collate "C" not null,
  host            text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, host, currency)
) with (fillfactor = 70);

insert into usage_host_day
select u.customer_number, (u.ends_at at time zone a.time_zone)::date, u.activation_id, u.host, u.currency,
       sum(u.charge), sum(u.hours), count(*)
  from usage_transaction u join account a on a.customer_number = u.customer_number
 where u.ends_at < 'infinity' group by 1, 2, 3, 4, 5;

create trigger usage_hosts_follow_booking before insert or update or delete or truncate on usage_host_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();

-- Each statement on a table names one customer, as in 0020. The account is locked by the trigger that books.
create function sum_usage_by_host() returns trigger language plpgsql as $$
declare
  booked record;
  zone   text;
begin
  for booked in select distinct w.customer_number from written w where isfinite(w.ends_at) order by 1 loop
    select a.time_zone into strict zone from account a where a.customer_number = booked.customer_number;
    insert into usage_host_day as kept (customer_number, day, activation_id, host, currency, charge, hours, transactions)
    select booked.customer_number, (w.ends_at at time zone zone)::date, w.activation_id, w.host, w.currency,
           sum(w.charge), sum(w.hours), count(*)
      from written w
     where w.customer_number = booked.customer_number and isfinite(w.ends_at)
     group by 2, 3, 4, 5
    on conflict (customer_number, day, activation_id, host, currency) do update
       set charge = kept.charge + excluded.charge,
           hours = kept.hours + excluded.hours,
           transactions = kept.transactions + excluded.transactions;
  end loop;
  return null;
end $$;
create trigger usage_is_summed_by_host after insert on usage_transaction
  referencing new table as written for each statement execute function sum_usage_by_host();
create trigger usage_is_summed_by_host_at_end after update on usage_transaction
  referencing new table as written for each statement execute function sum_usage_by_host();

-- As in 0020: a statement that names a partition runs the triggers of the partition only.
create function sum_partition_by_host(partition text) returns void language plpgsql as $$
begin
  execute format('create trigger usage_is_summed_by_host after insert on %I
    referencing new table as written for each statement execute function sum_usage_by_host()', partition);
end $$;
select sum_partition_by_host(c.relname)
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_transaction'::regclass;
create or replace function guard_usage_partition(partition text) returns void language plpgsql as $$
begin
  execute format('create trigger usage_is_booked after insert on %I
    referencing new table as written for each statement execute function book_usage()', partition);
  perform sum_partition_by_host(partition);
  execute format('create trigger usage_partition_is_append_only before update or delete or truncate on %I
    for each statement execute function refuse_change()', partition);
end $$;

-- The sums of one account from its rows: after a change of its time zone, or on request.
create function rebuild_usage_by_host() returns trigger language plpgsql as $$
declare
  zone text;
begin
  select a.time_zone into strict zone from account a where a.customer_number = new.customer_number;
  delete from usage_host_day d where d.customer_number = new.customer_number;
  insert into usage_host_day (customer_number, day, activation_id, host, currency, charge, hours, transactions)
  select u.customer_number, (u.ends_at at time zone zone)::date, u.activation_id, u.host, u.currency,
         sum(u.charge), sum(u.hours), count(*)
    from usage_transaction u
   where u.customer_number = new.customer_number and u.ends_at < 'infinity'
   group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger usage_hosts_follow_the_zone after update of time_zone on account
  for each row when (old.time_zone is distinct from new.time_zone) execute function rebuild_usage_by_host();
create trigger usage_is_rebuilt_by_host after insert on usage_rebuild
  for each row execute function rebuild_usage_by_host();
