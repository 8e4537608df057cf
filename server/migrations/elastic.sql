-- after: activations, settings
-- Elastic licensing: license servers and who may start sessions on them, usage and its sums, denied starts, statements.

-- The owner of an elastic license server. Its id is unique in the whole portal, so it is claimed here first (see
-- activation_owner).
create table device_owner (
  device_id       text collate "C" primary key,
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  unique (customer_number, device_id)
);

-- What a customer's applications connect to, and what usage arrives from.
create table elastic_server (
  customer_number  text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  device_id        text collate "C" not null check (device_id ~ '^[A-Za-z0-9-]{1,64}$'),
  alias            text not null check (alias <> ''),
  created_at       timestamptz not null default now(),
  -- newest arrival of usage, regardless of when the usage ended
  usage_arrived_at timestamptz,
  changed_at       timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, device_id),
  constraint device_id_is_claimed
    foreign key (customer_number, device_id) references device_owner (customer_number, device_id)
);
create index elastic_server_by_arrival on elastic_server (usage_arrived_at);
create index elastic_server_by_change on elastic_server (changed_at, customer_number, device_id);

create trigger elastic_server_change_is_noted before update on elastic_server for each row
  when ((old.customer_number, old.device_id, old.alias, old.created_at)
        is distinct from (new.customer_number, new.device_id, new.alias, new.created_at))
  execute function note_change();
create trigger elastic_server_removal_is_noted after delete on elastic_server
  for each row execute function note_removal('elastic-servers', 'device_id');

-- Credentials --------------------------------------------------------------------------------------------------------------

-- Who may start sessions on a server. Separate from the server's own row, which every booking of usage locks.
create table elastic_pin (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  device_id       text collate "C" not null,
  -- AES-256-GCM with a key of the installation, bound to customer and server
  sealed_pin      bytea not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, device_id),
  foreign key (customer_number, device_id) references elastic_server
);

create table elastic_username (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  device_id       text collate "C" not null,
  position        integer not null,
  username        text collate "C" not null check (username ~ '^[\x21-\x7e]{1,128}$'),
  -- names are compared without case
  username_key    text collate "C" not null generated always as (lower(username)) stored,
  primary key (customer_number, device_id, username_key),
  foreign key (customer_number, device_id) references elastic_server
);

create table elastic_ip_rule (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  device_id       text collate "C" not null,
  position        integer not null,
  name            text not null check (name <> ''),
  -- as it was typed, and the addresses that it stands for
  address         text collate "C" not null check (address <> ''),
  network         cidr not null,
  primary key (customer_number, device_id, position),
  foreign key (customer_number, device_id) references elastic_server
);

-- Wrong PINs of one server from one address, since the last right one.
create table pin_failure (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  server_id       text collate "C" not null,
  external_ip     text collate "C" not null,
  failures        integer not null,
  failed_at       timestamptz(3) not null,
  primary key (customer_number, server_id, external_ip)
);

-- Wrong PINs of one server from any address, counted for a day from the first of them. Beyond a limit, addresses that have not
-- sent the right PIN before take turns (domain/elastic/credentials/pin-guessing.ts).
create table pin_guessing (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  server_id       text collate "C" not null,
  since           timestamptz(3) not null,
  failures        integer not null,
  -- the last attempt that an address took in its turn
  tried_at        timestamptz(3) not null default '-infinity',
  primary key (customer_number, server_id)
);

-- Addresses that have sent the right PIN of a server: the guesses of others do not slow them down.
create table pin_address (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  server_id       text collate "C" not null,
  external_ip     text collate "C" not null,
  right_at        timestamptz(3) not null,
  primary key (customer_number, server_id, external_ip)
);
create index pin_address_by_time on pin_address (right_at);

-- Guesses at ids that no server has. They are slowed and locked alike, so that nobody learns which servers exist.
create table unknown_pin_failure (
  server_id   text collate "C" not null,
  external_ip text collate "C" not null,
  failures    integer not null,
  failed_at   timestamptz(3) not null,
  primary key (server_id, external_ip)
);
create index unknown_pin_failure_by_time on unknown_pin_failure (failed_at);

create table unknown_pin_guessing (
  server_id text collate "C" primary key,
  since     timestamptz(3) not null,
  failures  integer not null,
  tried_at  timestamptz(3) not null default '-infinity',
  -- attempts that were refused without a look at the PIN
  refused   integer not null default 0
);
create index unknown_pin_guessing_by_time on unknown_pin_guessing (since);

-- Session starts that were denied, for the account to see.
create table elastic_denial (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              bigint generated always as identity,
  denied_at       timestamptz(3) not null,
  reason          text collate "C" not null,
  server_id       text collate "C" not null,
  product         text collate "C" not null,
  product_count   integer not null,
  user_name       text collate "C" not null,
  host            text collate "C" not null,
  project         text collate "C",
  product_version text collate "C" not null default '',
  external_ip     text collate "C" not null,
  -- the limit that refused it, and what it said then
  limit_id        text collate "C",
  limit_text      text,
  primary key (customer_number, id)
);
create index elastic_denial_by_time on elastic_denial (customer_number, denied_at, id);
-- Home of staff counts over all accounts.
create index elastic_denial_newest on elastic_denial (denied_at, customer_number);

-- Limits ---------------------------------------------------------------------------------------------------------------------

-- What may be used of elastic units, by whom and when. A name that is null stands for everybody else, or for a part that the subject
-- does not have.
create table elastic_limit (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  limit_id        text collate "C" not null check (limit_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  subject         text collate "C" not null check (subject in
                    ('account', 'user', 'project', 'product', 'user+project', 'user+product', 'project+product',
                     'department', 'cost-center')),
  -- of a department or cost center, its name
  user_name       text collate "C" check (user_name is null or user_name <> '' and
                    (subject like '%user%' or subject in ('department', 'cost-center'))),
  -- names are compared without case
  user_key        text collate "C" generated always as (lower(user_name)) stored,
  project         text collate "C" check (project is null or project <> '' and subject like '%project%'),
  product         text collate "C" check (product is null or product <> '' and subject like '%product%'),
  period          text collate "C" not null check (period in ('day', 'month', 'all')),
  currency        text collate "C" not null check (currency <> ''),
  warn_at         numeric(14, 2) check (warn_at >= 0),
  refuse_at       numeric(14, 2) check (refuse_at > 0),
  from_day        date,
  to_day          date,
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, limit_id),
  constraint limit_has_an_amount check (coalesce(warn_at, refuse_at) is not null),
  constraint limit_warns_first check (warn_at <= refuse_at),
  constraint limit_has_days check (from_day <= to_day)
);
create index elastic_limit_by_change on elastic_limit (changed_at, customer_number, limit_id);

create trigger elastic_limit_change_is_noted before update on elastic_limit for each row
  when ((old.customer_number, old.limit_id, old.subject, old.user_name, old.project, old.product, old.period, old.currency,
         old.warn_at, old.refuse_at, old.from_day, old.to_day)
        is distinct from (new.customer_number, new.limit_id, new.subject, new.user_name, new.project, new.product, new.period,
         new.currency, new.warn_at, new.refuse_at, new.from_day, new.to_day))
  execute function note_change();
create trigger elastic_limit_removal_is_noted after delete on elastic_limit
  for each row execute function note_removal('limits', 'customer_number', 'limit_id');

-- Which products somebody may start. The empty user is everybody else.
create table elastic_product_rule (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  user_key        text collate "C" not null check (user_key = lower(user_key)),
  user_name       text collate "C" not null,
  kind            text collate "C" not null check (kind in ('allow', 'deny')),
  products        text[] not null check (cardinality(products) > 0),
  primary key (customer_number, user_key)
);

-- Accounts that have limits. Their starts wait for each other, and a start knows that before it reads a table of customers.
create table limited_account (
  customer_number text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$')
);

-- Who was told what about a limit in a period: administrators by email, webhooks by an event.
create table elastic_limit_told (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  limit_id        text collate "C" not null,
  told            text collate "C" not null check (told in ('warned', 'reached')),
  user_key        text collate "C" not null,
  project         text collate "C" not null,
  product         text collate "C" not null,
  period_from     date not null,
  told_at         timestamptz(3) not null,
  primary key (customer_number, limit_id, told, user_key, project, product, period_from)
);

-- Usage --------------------------------------------------------------------------------------------------------------------
-- See docs/decisions/0006-usage-by-the-month-of-its-end.md and 0011-booking-and-keys-by-customer.md. The tables can be sharded by
-- customer: each statement of these functions on a table names one customer, because a shard's trigger reaches no other shard,
-- and no variable has the row type of a table, because the table has another name there. The customer number of every row of usage
-- is checked: comparing characters takes a quarter of the time of a regular expression, and takes the same values.

create sequence usage_transaction_number;

-- One checkout of one product, charged when it ends. Partitioned by the month (UTC) of its end: what the screen and the
-- statements ask for lies after some instant, so older months are never looked at. A session that is still running ends
-- at infinity and has a partition of its own. Everything begins with the customer number, which is what shards it.
create table usage_transaction (
  customer_number      text collate "C" not null,
  transaction_number   bigint not null default nextval('usage_transaction_number'),
  server_id            text collate "C" not null,
  session_id           text collate "C" not null,
  session_status       text collate "C" not null,
  started_at           timestamptz(3) not null,
  ends_at              timestamptz(3) not null default 'infinity',
  product              text collate "C" not null,
  product_line         text collate "C" not null default '',
  product_version      text collate "C" not null default '',
  product_count        integer not null,
  feature              text collate "C" not null default '',
  feature_number       text collate "C" not null default '',
  feature_count        integer not null,
  user_name            text collate "C" not null,
  host                 text collate "C" not null,
  process_id           integer,
  project              text collate "C",
  cloud_job_id         text collate "C",
  internal_ip          text collate "C",
  external_ip          text collate "C",
  consumer_id          text collate "C" not null default '',
  acquisition          text collate "C" not null default '',
  rate_table_version   text collate "C" not null default '',
  activation_id        text collate "C",
  charge               numeric(14, 2),
  currency             text collate "C" not null,
  -- The transaction that this one takes back, wholly or in part; and the id that its sender gave it, so that lists need no
  -- second look at all months.
  corrects             bigint,
  corrected_session_id text collate "C",
  arrived_at           timestamptz not null default now(),
  -- Both are set only while a session runs that was started here. The rate is for one count of the product, by the rate
  -- table that applied at the start.
  last_heartbeat_at    timestamptz(3),
  units_per_hour       numeric(12, 4),
  -- a further part of a charge that was split over several entitlements
  continues            boolean not null default false,
  -- The least of 0.01 hours is for a session as a whole. Corrections and further parts have 0 hours, so that the hours of a
  -- session add up to its length.
  hours                numeric(12, 2) generated always as (
    case when not isfinite(ends_at) then null
         when continues or corrects is not null then 0
         else greatest(0.01, round(extract(epoch from ends_at - started_at) / 3600, 2)) end) stored,
  primary key (customer_number, transaction_number, ends_at)
) partition by range (ends_at);

-- The sessions that run. A heartbeat changes nothing but the row itself, so there are only three indexes: the key, the start
-- and the session id. The other indexes, most checks and the trigger of corrections belong to the months, where usage is booked:
-- PostgreSQL prepares each of them again for every statement, which would slow down every start.
create table usage_transaction_running partition of usage_transaction (
  constraint running_session_is_sound check (
    length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = ''
    and charge is null and isfinite(started_at) and product_count > 0 and feature_count > 0 and project <> ''
    and last_heartbeat_at >= started_at and last_heartbeat_at < 'infinity')
) for values from ('infinity') to (maxvalue) with (fillfactor = 70);
-- A running session has no hours. Before PostgreSQL 17 they are computed in vain.
do $$
begin
  if current_setting('server_version_num')::int >= 170000 then
    execute 'alter table usage_transaction_running alter column hours set expression as (null::numeric)';
  end if;
end $$;

create index usage_by_start on usage_transaction (customer_number, started_at, transaction_number, ends_at);
create index usage_by_session on usage_transaction (customer_number, session_id, started_at, transaction_number, ends_at);

-- The indexes that a month has and the running part does not: the screen's orders, and the values of each column within a time
-- range. All are (customer, column, …the list's key), followed by the end, so that a time range is decided in the index; hours
-- and cost are added up by currency without a look into the table. Every entry is unique, so looking for duplicates before a
-- page is split would find none.
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

-- Statement triggers of the whole table are silent when a statement names one of its partitions: each has its own.
create function guard_usage_partition(partition text) returns void language plpgsql as $$
begin
  execute format('create trigger usage_is_booked after insert on %I
    referencing new table as written for each statement execute function book_usage()', partition);
  execute format('create trigger usage_partition_is_append_only before update or delete on %I
    for each statement execute function refuse_change()', partition);
  execute format('create trigger usage_partition_is_not_truncated before truncate on %I
    for each statement execute function refuse_change()', partition);
end $$;

-- Makes the table of a month (UTC) without its indexes, and answers its name, or null if the month is there already.
-- What is inserted now is booked like everything else. Corrections are refused until the month is attached, as the
-- transactions that they correct cannot be seen yet. Where usage is on shards, so is the month: they book what it gets.
-- Runs as the owner of the tables, because the portal's role may not create any. Roles that add usage may add to the month.
create function create_usage_month(month timestamp) returns text language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
  writer    record;
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
  for writer in
    select distinct a.grantee::regrole as role from pg_class c cross join aclexplode(c.relacl) a
     where c.oid = 'usage_transaction'::regclass and a.privilege_type = 'INSERT' and a.grantee not in (0, c.relowner)
  loop
    execute format('grant select, insert on %I to %s', partition, writer.role);
  end loop;
  if to_regclass('pg_dist_partition') is not null then
    execute 'select create_distributed_table($1, ''customer_number'', colocate_with => ''usage_transaction'')
      from pg_dist_partition where logicalrelid = ''usage_transaction''::regclass' using partition;
  end if;
  return partition;
end $$;

-- Makes a month part of the whole: its indexes are built, and the row triggers of the whole take over.
create function attach_usage_month(month timestamp) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform index_usage_month(partition);
  execute format('alter table usage_transaction attach partition %I for values from (%L) to (%L)',
    partition, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
end $$;

-- Makes the months from one instant to another. Made apart and then attached: readers go on meanwhile.
create function ensure_usage_partitions(from_instant timestamptz, to_instant timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
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

-- Autovacuum looks after the months, but nothing looks after the statistics of the whole. Only the owner may analyze it.
create function analyze_usage() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze usage_transaction;
end $$;

-- What is booked stays booked: only a running session changes, and it changes by a heartbeat or by ending.
create function refuse_booked_change() returns trigger language plpgsql as $$
begin
  raise exception 'transaction % is booked: write a correction instead', old.transaction_number
    using errcode = 'restrict_violation';
end $$;
create trigger usage_stays_booked before update on usage_transaction
  for each row when (isfinite(old.ends_at)) execute function refuse_booked_change();
create trigger usage_is_never_deleted before delete on usage_transaction
  for each statement execute function refuse_change();
create trigger usage_is_not_truncated before truncate on usage_transaction
  for each statement execute function refuse_change();
create trigger usage_partition_is_append_only before delete on usage_transaction_running
  for each statement execute function refuse_change();
create trigger usage_partition_is_not_truncated before truncate on usage_transaction_running
  for each statement execute function refuse_change();
-- All columns but those that the end of a session sets.
create trigger usage_changes_by_its_end before update of
    customer_number, transaction_number, server_id, session_id, started_at, product, product_line, product_version, product_count,
    feature, feature_number, feature_count, user_name, host, process_id, project, cloud_job_id, internal_ip, external_ip,
    consumer_id, acquisition, rate_table_version, currency, corrects, corrected_session_id, continues on usage_transaction
  for each statement execute function refuse_change();
-- All columns but that of the last heartbeat.
create trigger usage_changes_by_heartbeat before update of
    customer_number, transaction_number, server_id, session_id, session_status, started_at, ends_at, product, product_line,
    product_version, product_count, feature, feature_number, feature_count, user_name, host, process_id, project, cloud_job_id,
    internal_ip, external_ip, consumer_id, acquisition, rate_table_version, activation_id, charge, currency, corrects, arrived_at,
    corrected_session_id, units_per_hour, continues on usage_transaction_running
  for each statement execute function refuse_change();

-- One booking at a time per account. Everybody locks accounts in this order, and before anything else of theirs.
create function lock_accounts(customers text[]) returns void language plpgsql as $$
declare
  wanted record;
begin
  for wanted in select distinct c collate "C" as customer_number from unnest(customers) c order by 1 loop
    perform from account a where a.customer_number = wanted.customer_number for no key update;
  end loop;
end $$;

-- A correction names a booked transaction of the same entitlement and never takes back more than was charged. The lock on
-- the account makes corrections wait for each other.
create function check_correction() returns trigger language plpgsql as $$
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

-- Finished transactions by the sender's id: each is booked once, no matter how often it is sent.
create table usage_receipt (
  customer_number text collate "C" not null,
  id              text collate "C" not null,
  primary key (customer_number, id),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
);

-- Claims the ids of transactions, and answers those that were claimed before. Usually these are none: a plain insert costs
-- half of one that expects conflicts. Each id comes once. Citus reports a duplicate of another node as an internal error.
create function claim_usage_receipts(customers text[], ids text[]) returns table (taken_customer text, taken_id text)
language plpgsql as $$
begin
  insert into usage_receipt (customer_number, id) select * from unnest(customers, ids);
exception when unique_violation or internal_error then
  return query
    with sent as materialized (
      select * from unnest(customers, ids) as s (customer_number, id)
    ), claimed as (
      insert into usage_receipt (customer_number, id) select s.customer_number, s.id from sent s
      on conflict do nothing returning customer_number, id
    )
    select s.customer_number, s.id from sent s
     where not exists (select 1 from claimed c where c.customer_number = s.customer_number and c.id = s.id);
end $$;

-- Sums of usage ------------------------------------------------------------------------------------------------------------
-- What was booked per day of the account. Statements, balances and Home read the sums, not the rows. The statement that books
-- writes all of them, and nothing else does. Sums of the day are updated with every batch: room on the page keeps the updated
-- row there, and the index as it is.

create table usage_day (
  customer_number text collate "C" not null,
  day             date not null,
  activation_id   text collate "C" not null,
  product         text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, product, currency),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 70);

create table usage_user_day (
  customer_number text collate "C" not null,
  day             date not null,
  activation_id   text collate "C" not null,
  user_name       text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, user_name, currency),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 70);

-- Usage that names no project has the empty one.
create table usage_project_day (
  customer_number text collate "C" not null,
  day             date not null,
  activation_id   text collate "C" not null,
  project         text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, project, currency),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 70);

-- For chargeback.
create table usage_host_day (
  customer_number text collate "C" not null,
  day             date not null,
  activation_id   text collate "C" not null,
  host            text collate "C" not null,
  currency        text collate "C" not null,
  charge          numeric(16, 2) not null,
  hours           numeric(14, 2) not null,
  transactions    integer not null,
  primary key (customer_number, day, activation_id, host, currency),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 70);

-- The kinds of subjects that an account has limits of: their use is summed for as long as they are here.
create table usage_limited (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  subject         text collate "C" not null check (subject in
                    ('account', 'user', 'project', 'product', 'user+project', 'user+product', 'project+product')),
  primary key (customer_number, subject)
);

-- What subjects of limits have used, each on one run of rows, so that the start of a session reads no more than its own. Parts that the
-- subject does not have are empty, and so is the project of usage without one.
create table usage_limited_day (
  customer_number text collate "C" not null,
  subject         text collate "C" not null,
  user_key        text collate "C" not null,
  project         text collate "C" not null,
  product         text collate "C" not null,
  currency        text collate "C" not null,
  day             date not null,
  charge          numeric(16, 2) not null,
  primary key (customer_number, subject, user_key, project, product, currency, day),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 70);
create index usage_limited_by_day on usage_limited_day (customer_number, subject, day);

-- Adds finished sessions of one account to its sums. This is the only place where usage is summed.
-- One statement for each table, not one with all of them: on several nodes, the parts of such a statement would be sent to every node.
create function add_to_usage_days(customer text, ends timestamptz[], activation_ids text[], products text[],
                                  users text[], projects text[], hosts text[], currencies text[], charges numeric[],
                                  session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone     text;
  days     date[];
  subjects text[];
begin
  select a.time_zone into strict zone from account a where a.customer_number = customer;
  days := array(select (e.ends_at at time zone zone)::date from unnest(ends) with ordinality as e (ends_at, n) order by e.n);
  projects := array(select coalesce(p.project, '') from unnest(projects) with ordinality as p (project, n) order by p.n);
  insert into usage_user_day as kept (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.user_name, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, users, currencies, charges, session_hours) as s (day, activation_id, user_name, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, user_name, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_host_day as kept (customer_number, day, activation_id, host, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.host, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, hosts, currencies, charges, session_hours) as s (day, activation_id, host, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, host, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_project_day as kept (customer_number, day, activation_id, project, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.project, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, projects, currencies, charges, session_hours) as s (day, activation_id, project, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, project, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_total as kept (customer_number, activation_id, charge, hours, transactions)
  select customer, s.activation_id, sum(s.charge), sum(s.hours), count(*)
    from unnest(activation_ids, charges, session_hours) as s (activation_id, charge, hours)
   group by 2
  on conflict (customer_number, activation_id) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_day as kept (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.product, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, products, currencies, charges, session_hours) as s (day, activation_id, product, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, product, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  subjects := array(select l.subject from usage_limited l where l.customer_number = customer);
  if cardinality(subjects) > 0 then
    insert into usage_limited_day as kept (customer_number, subject, user_key, project, product, currency, day, charge)
    select customer, l.subject,
           case when l.subject like '%user%' then lower(s.user_name collate "C") else '' end,
           case when l.subject like '%project%' then s.project else '' end,
           case when l.subject like '%product%' then s.product else '' end,
           s.currency, s.day, sum(s.charge)
      from unnest(subjects) as l (subject)
     cross join unnest(users, projects, products, currencies, days, charges) as s (user_name, project, product, currency, day, charge)
     group by 2, 3, 4, 5, 6, 7
    on conflict (customer_number, subject, user_key, project, product, currency, day) do update
       set charge = kept.charge + excluded.charge;
  end if;
end $$;

-- Runs with every statement that writes usage, and in its transaction: rows and sums cannot drift apart. The lock on the
-- account also holds its time zone, which decides the day. Sessions that are still running add nothing and need no lock: a
-- statement that writes only those, as every start of a session does, leaves out the locks and sums of finished ones. The order
-- of locks is accounts, servers, days.
create function book_usage() returns trigger language plpgsql as $$
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
create trigger usage_is_booked after insert on usage_transaction
  referencing new table as written for each statement execute function book_usage();
create trigger usage_end_is_booked after update on usage_transaction
  referencing new table as written for each statement execute function book_usage();

-- The sums belong to the booking: its trigger writes them, and no statement does so directly.
create function refuse_outside_booking() returns trigger language plpgsql as $$
begin
  raise exception '% follows the booked usage: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger usage_days_follow_booking before insert or update or delete on usage_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_days_are_not_truncated before truncate on usage_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_users_follow_booking before insert or update or delete on usage_user_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_users_are_not_truncated before truncate on usage_user_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_projects_follow_booking before insert or update or delete on usage_project_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_projects_are_not_truncated before truncate on usage_project_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_hosts_follow_booking before insert or update or delete on usage_host_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_hosts_are_not_truncated before truncate on usage_host_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_limited_days_follow_booking before insert or update or delete on usage_limited_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_limited_days_are_not_truncated before truncate on usage_limited_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_totals_follow_booking before insert or update or delete on usage_total
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_totals_are_not_truncated before truncate on usage_total
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();

-- The first limit of a kind of subject sums what was used so far: of one user, project or product, and of the account, from the other
-- sums; of two of them from the rows, so that archived months do not count there.
create function sum_limited_usage() returns trigger language plpgsql as $$
begin
  perform lock_accounts(array[new.customer_number]);
  if new.subject in ('account', 'product') then
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject, '', '', case when new.subject = 'product' then d.product else '' end, d.currency, d.day,
           sum(d.charge)
      from usage_day d where d.customer_number = new.customer_number group by 5, 6, 7;
  elsif new.subject = 'user' then
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject, lower(d.user_name), '', '', d.currency, d.day, sum(d.charge)
      from usage_user_day d where d.customer_number = new.customer_number group by 3, 6, 7;
  elsif new.subject = 'project' then
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject, '', d.project, '', d.currency, d.day, sum(d.charge)
      from usage_project_day d where d.customer_number = new.customer_number group by 4, 6, 7;
  else
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject,
           case when new.subject like '%user%' then lower(u.user_name) else '' end,
           case when new.subject like '%project%' then coalesce(u.project, '') else '' end,
           case when new.subject like '%product%' then u.product else '' end,
           u.currency, (u.ends_at at time zone a.time_zone)::date, sum(u.charge)
      from account a
      join usage_transaction u on u.customer_number = new.customer_number and u.ends_at < 'infinity'
     where a.customer_number = new.customer_number
     group by 3, 4, 5, 6, 7;
  end if;
  return null;
end $$;
create trigger limited_usage_is_summed after insert on usage_limited
  for each row execute function sum_limited_usage();

create function drop_limited_usage() returns trigger language plpgsql as $$
begin
  delete from usage_limited_day d where d.customer_number = old.customer_number and d.subject = old.subject;
  return null;
end $$;
create trigger limited_usage_is_dropped after delete on usage_limited
  for each row execute function drop_limited_usage();

-- Archived usage -----------------------------------------------------------------------------------------------------------
-- Months whose transactions were written to a file. Of those with `detached_at` only the file has them: these are all months
-- before one, and nothing is booked there any more.

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

-- What the transactions of detached months add up to, under the names of the sums that they are part of, and what corrections
-- took back. From these and the rows that are left, the sums can be computed again. Days are those of the account when its month was
-- detached.
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

-- Sums of one account from its rows and from archived sums, in steps that fit into memory. The caller holds the account's lock.
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
  delete from usage_limited_day l where l.customer_number = customer;
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
  insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
  select customer, l.subject,
         case when l.subject = 'user' then lower(s.name) else '' end,
         case when l.subject = 'project' then s.name else '' end,
         case when l.subject = 'product' then s.name else '' end,
         s.currency, s.day, sum(s.charge)
    from usage_limited l
    join archived_usage_sum s on s.customer_number = customer
     and s.sums = case l.subject when 'account' then 'usage_day' when 'product' then 'usage_day'
                                 when 'user' then 'usage_user_day' when 'project' then 'usage_project_day' end
   where l.customer_number = customer
   group by 2, 3, 4, 5, 6, 7;
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

-- When an account moves to another time zone, its days are other days.
create function rebook_moved_account() returns trigger language plpgsql as $$
begin
  perform rebuild_usage_sums(new.customer_number);
  return null;
end $$;
create trigger usage_days_follow_the_zone after update of time_zone on account
  for each row when (old.time_zone is distinct from new.time_zone) execute function rebook_moved_account();

-- Inserting a row makes a trigger compute the sums again. Direct changes of the sums are still refused.
create table usage_rebuild (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
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

-- Statements ---------------------------------------------------------------------------------------------------------------

-- Statements that were mailed. They are frozen: usage that arrives later is stated as late in the next one. What people mail
-- of a screen as it is shown has another kind than the two series.
create table mailed_statement (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              text collate "C" not null default gen_random_uuid()::text,
  kind            text collate "C" not null
                  check (kind in ('weekly', 'monthly', 'statement', 'chargeback', 'forecast', 'usage')),
  period_from     date not null,
  period_to       date not null check (period_to >= period_from),
  -- empty for a statement of the whole account
  activation_id   text collate "C" not null,
  mailed_at       timestamptz(3) not null,
  -- a person, or the schedule
  mailed_by       text not null,
  file_name       text not null,
  pdf             bytea not null,
  primary key (customer_number, id)
);
-- A period of a series is frozen once; mailing it again mails the same file.
create unique index mailed_statement_of_series on mailed_statement (customer_number, kind, period_to, activation_id)
  where kind in ('weekly', 'monthly');
create trigger mailed_statement_is_frozen before update or delete on mailed_statement
  for each statement execute function refuse_change();
create trigger mailed_statement_is_not_truncated before truncate on mailed_statement
  for each statement execute function refuse_change();

-- What a mailed statement says about one entitlement, and what its successor in the series starts from.
create table mailed_record (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  activation_id   text collate "C" not null,
  kind            text collate "C" not null check (kind in ('weekly', 'monthly')),
  period_to       date not null,
  total           numeric not null,
  -- charges that had ended by period_to
  used            numeric not null,
  -- null where the statement has no line for the entitlement
  record          jsonb,
  primary key (customer_number, activation_id, kind, period_to)
);
create trigger mailed_record_is_frozen before update or delete on mailed_record
  for each statement execute function refuse_change();
create trigger mailed_record_is_not_truncated before truncate on mailed_record
  for each statement execute function refuse_change();

-- Statements that an account gets by itself. A date is the last day that was handled; without one, that kind is off.
create table statement_schedule (
  customer_number text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  weekly_through  date,
  monthly_through date,
  -- only those who are still contacts of the account get mail
  recipients      text[] not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null
);
