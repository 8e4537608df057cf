-- Elastic license servers: what a customer's applications connect to, and what usage arrives from.
create table elastic_server (
  customer_number  customer_number not null references account,
  device_id        text collate "C" not null check (device_id ~ '^[A-Za-z0-9-]{1,64}$'),
  alias            text not null check (alias <> ''),
  created_at       timestamptz not null default now(),
  -- newest arrival of usage, whatever time the usage itself is of
  usage_arrived_at timestamptz,
  primary key (customer_number, device_id)
);
create unique index elastic_server_by_device on elastic_server (device_id);
create index elastic_server_by_arrival on elastic_server (usage_arrived_at);

create sequence usage_transaction_number;

-- One checkout of one product, charged when it ends. Partitioned by the month (UTC) of its end: what the screen and the
-- statements ask for lies after some instant, so older months are never looked at. A session that is still running ends
-- at infinity and has a partition of its own. Everything begins with the customer number, which is what shards it.
create table usage_transaction (
  customer_number    customer_number not null,
  transaction_number bigint not null default nextval('usage_transaction_number'),
  server_id          text collate "C" not null,
  session_id         text collate "C" not null,
  session_status     text collate "C" not null,
  started_at         timestamptz(3) not null check (isfinite(started_at)),
  ends_at            timestamptz(3) not null default 'infinity',
  product            text collate "C" not null,
  product_line       text collate "C" not null default '',
  product_version    text collate "C" not null default '',
  product_count      integer not null check (product_count > 0),
  feature            text collate "C" not null default '',
  feature_number     text collate "C" not null default '',
  feature_count      integer not null check (feature_count > 0),
  user_name          text collate "C" not null,
  host               text collate "C" not null,
  process_id         integer,
  project            text collate "C" check (project <> ''),
  cloud_job_id       text collate "C" check (cloud_job_id <> ''),
  internal_ip        text collate "C",
  external_ip        text collate "C",
  consumer_id        text collate "C" not null default '',
  acquisition        text collate "C" not null default '',
  rate_table_version text collate "C" not null default '',
  activation_id      text collate "C",
  charge             numeric(14, 2),
  currency           text collate "C" not null,
  -- the transaction that this one takes back, wholly or in part
  corrects           bigint,
  arrived_at         timestamptz not null default now(),
  -- never under 0.01 once the session is over
  hours              numeric(12, 2) generated always as (
    case when isfinite(ends_at) then greatest(0.01, round(extract(epoch from ends_at - started_at) / 3600, 2)) end) stored,
  primary key (customer_number, transaction_number, ends_at),
  check (ends_at >= started_at),
  check (isfinite(ends_at) = (charge is not null)),
  check (charge is null or activation_id is not null),
  check (charge >= 0 or corrects is not null),
  check (corrects is null or charge <= 0)
) partition by range (ends_at);

create table usage_transaction_running partition of usage_transaction for values from ('infinity') to (maxvalue);

-- The screen's orders, and the values of each column within a time range. All are (customer, column, …the list's key),
-- followed by the end, so that a time range is decided in the index.
create index usage_by_start        on usage_transaction (customer_number, started_at, transaction_number, ends_at);
create index usage_by_end          on usage_transaction (customer_number, ends_at, started_at, transaction_number);
create index usage_by_charge       on usage_transaction (customer_number, charge, started_at, transaction_number, ends_at);
create index usage_by_product      on usage_transaction (customer_number, product, started_at, transaction_number, ends_at);
create index usage_by_user         on usage_transaction (customer_number, user_name, started_at, transaction_number, ends_at);
create index usage_by_host         on usage_transaction (customer_number, host, started_at, transaction_number, ends_at);
create index usage_by_project      on usage_transaction (customer_number, project, started_at, transaction_number, ends_at);
create index usage_by_status       on usage_transaction (customer_number, session_status, started_at, transaction_number, ends_at);
create index usage_by_version      on usage_transaction (customer_number, product_version, started_at, transaction_number, ends_at);
create index usage_by_external_ip  on usage_transaction (customer_number, external_ip, started_at, transaction_number, ends_at);
create index usage_by_currency     on usage_transaction (customer_number, currency, started_at, transaction_number, ends_at);
create index usage_by_cloud_job    on usage_transaction (customer_number, cloud_job_id, started_at, transaction_number, ends_at);

-- Makes the months from one instant to another. Made apart and then attached: readers go on meanwhile.
create function ensure_usage_partitions(from_instant timestamptz, to_instant timestamptz) returns integer
language plpgsql as $$
declare
  month     timestamp := date_trunc('month', from_instant at time zone 'UTC');
  partition text;
  made      integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  while month <= to_instant at time zone 'UTC' loop
    partition := 'usage_transaction_' || to_char(month, 'YYYY_MM');
    if to_regclass(partition) is null then
      execute format('create table %I (like usage_transaction including defaults including generated including constraints)', partition);
      execute format('alter table usage_transaction attach partition %I for values from (%L) to (%L)',
        partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
      made := made + 1;
    end if;
    month := month + interval '1 month';
  end loop;
  return made;
end $$;

-- What was booked per day of the account, kept with every change: statements, balances and Home read it, not the rows.
create table usage_day (
  customer_number customer_number not null,
  day             date not null,
  activation_id   text collate "C" not null,
  product         text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, product, currency)
);

-- Runs with the statement that writes usage, and in its transaction: rows and sums cannot part. The account is held, so
-- that its time zone, which decides the day, cannot change in between. Everything is locked in the same order by everybody.
create function book_usage() returns trigger language plpgsql as $$
begin
  if exists (select from written w where not exists (
      select from elastic_server s where s.customer_number = w.customer_number and s.device_id = w.server_id)) then
    raise exception 'usage names a server that its account does not have' using errcode = 'foreign_key_violation';
  end if;
  perform from account a where a.customer_number in (select w.customer_number from written w)
    order by a.customer_number for share;
  perform from elastic_server s where (s.customer_number, s.device_id) in (select w.customer_number, w.server_id from written w)
    order by s.customer_number, s.device_id for no key update;
  insert into usage_day as kept
  select w.customer_number, (w.ends_at at time zone a.time_zone)::date, w.activation_id, w.product, w.currency,
         sum(w.charge), sum(w.hours), count(*)
    from written w join account a on a.customer_number = w.customer_number
   where isfinite(w.ends_at)
   group by 1, 2, 3, 4, 5
   order by 1, 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, product, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  update elastic_server s set usage_arrived_at = greatest(s.usage_arrived_at, newest.arrived_at)
    from (select w.customer_number, w.server_id, max(w.arrived_at) as arrived_at from written w group by 1, 2) newest
   where s.customer_number = newest.customer_number and s.device_id = newest.server_id;
  return null;
end $$;
create trigger usage_is_booked after insert on usage_transaction
  referencing new table as written for each statement execute function book_usage();
create trigger usage_end_is_booked after update on usage_transaction
  referencing new table as written for each statement execute function book_usage();

-- When an account moves to another time zone, its days are other days.
create function rebook_moved_account() returns trigger language plpgsql as $$
begin
  delete from usage_day d where d.customer_number = new.customer_number;
  insert into usage_day
  select u.customer_number, (u.ends_at at time zone new.time_zone)::date, u.activation_id, u.product, u.currency,
         sum(u.charge), sum(u.hours), count(*)
    from usage_transaction u
   where u.customer_number = new.customer_number and u.ends_at < 'infinity'
   group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger usage_days_follow_the_zone after update of time_zone on account
  for each row when (old.time_zone is distinct from new.time_zone) execute function rebook_moved_account();

-- What is booked stays booked: only a running session changes, and it changes by going on or by ending.
create function refuse_booked_change() returns trigger language plpgsql as $$
begin
  raise exception 'transaction % is booked: write a correction instead', old.transaction_number
    using errcode = 'restrict_violation';
end $$;
create trigger usage_stays_booked before update on usage_transaction
  for each row when (isfinite(old.ends_at)) execute function refuse_booked_change();
create trigger usage_is_never_deleted before delete or truncate on usage_transaction
  for each statement execute function refuse_change();

-- A correction names a booked transaction of the same entitlement and never takes back more than was charged.
create function check_correction() returns trigger language plpgsql as $$
declare
  original usage_transaction;
  left_over numeric;
begin
  perform pg_advisory_xact_lock(hashtext('usage correction'), hashtext(new.customer_number || ' ' || new.corrects));
  select * into original from usage_transaction u
   where u.customer_number = new.customer_number and u.transaction_number = new.corrects and u.corrects is null;
  if original.activation_id is distinct from new.activation_id or original.currency is distinct from new.currency
     or original.charge is null then
    raise exception 'a correction needs a booked transaction of the same entitlement' using errcode = 'check_violation';
  end if;
  select original.charge + coalesce(sum(u.charge), 0) into left_over from usage_transaction u
   where u.customer_number = new.customer_number and u.corrects = new.corrects;
  if left_over + new.charge < 0 then
    raise exception 'a correction takes back more than transaction % was charged', new.corrects
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger usage_correction_fits before insert on usage_transaction
  for each row when (new.corrects is not null) execute function check_correction();
create index usage_corrections on usage_transaction (customer_number, corrects) where corrects is not null;
