-- What the vendor's systems ask for: which records changed since they last asked (docs/decisions/0077-changed-since.md).

-- When a record was last changed, no matter how. It is the clock time of the write, never the start of the transaction:
-- a write after a reader's query has a later time than the reader saw. Seats, usage and other things that the portal
-- counts by itself change no record.
create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end $$;

-- Records that were removed, no matter how. A record that is removed again has the later time.
create table removed_record (
  -- Empty for a record of no account. Null could not choose a shard.
  customer_number text collate "C" not null,
  kind            text collate "C" not null,
  -- The id in the service API: the fields of the key, joined by colons.
  id              text collate "C" not null,
  removed_at      timestamptz(3) not null,
  primary key (customer_number, kind, id)
);
create index removed_record_by_time on removed_record (kind, removed_at, id, customer_number);

-- Of records of accounts; those of no account are noted by the code that deletes them (noteRemovals), because a trigger of a table that
-- every node has could not write to one of customers. Its arguments are the kind and the columns of the key in the order of the id.
create function note_removal() returns trigger language plpgsql as $$
declare
  gone  jsonb := to_jsonb(old);
  parts text[] := '{}';
begin
  for at in 1 .. tg_nargs - 1 loop
    parts := parts || coalesce(gone ->> tg_argv[at], '');
  end loop;
  insert into removed_record (customer_number, kind, id, removed_at)
  values (coalesce(gone ->> 'customer_number', ''), tg_argv[0], array_to_string(parts, ':'),
          date_trunc('milliseconds', clock_timestamp()))
  on conflict (customer_number, kind, id) do update set removed_at = excluded.removed_at;
  return null;
end $$;

-- Since when this database notes removals: of earlier ones nothing is known. It is no row, because a backup must not bring it
-- to another database.
do $$
begin
  execute format('create function removals_noted_since() returns timestamptz language sql stable as $f$ select %L::timestamptz $f$',
                 to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"Z"'));
end $$;

-- What the installation itself needs, and what the other files use.

-- "Contains" in searches, over any number of rows.
create extension if not exists pg_trgm;

-- A customer number is plain text in every table, of 1 to 20 letters, digits and hyphens: a shard is chosen by it, and a domain
-- type cannot choose one. It is compared and ordered by code points (collation "C") on every server alike, so that lists can walk
-- its indexes.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- Secrets that all processes of one installation share (list tokens …), made on first use.
create table installation_secret (
  name   text primary key,
  secret bytea not null
);

-- Which parts of the demo data this installation has, so that each is loaded once and later ones are topped up.
create table demo_part (
  name      text primary key,
  made_for  date not null,
  loaded_at timestamptz not null
);

-- after: data, installation
-- Accounts of customers, and who may do what on them. Every process caches rights, so every writer of these tables
-- announces its changes (server/identity/access-changes.queries.ts).
create table account (
  customer_number       text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  name                  text collate "C" not null check (name <> ''),
  org_type              text not null default 'Undefined' check (org_type in ('Undefined', 'Direct', 'Channel', 'Indirect')),
  export_control_status text not null default '',
  is_access_disabled    boolean not null default false,
  support_email         text not null default '',
  -- decides the day of usage: when it changes, the sums of usage are computed again (elastic.sql)
  time_zone             text not null default 'UTC',
  created_at            timestamptz not null default now(),
  changed_at            timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
-- "Contains" on name or number, over any number of accounts; the expressions are those of the list engine.
create index account_name_search on account using gin (lower(name collate "C") gin_trgm_ops);
create index account_number_search on account using gin (lower(customer_number collate "C") gin_trgm_ops);
create index account_by_name on account (name, customer_number);
create index account_by_change on account (changed_at, customer_number);
-- Staff search over all accounts by the beginning of any email address on an account.
create index account_by_support_address on account ((lower(support_email) collate "C"), customer_number)
  where support_email <> '';

create trigger account_change_is_noted before update on account for each row
  when ((old.customer_number, old.name, old.org_type, old.export_control_status, old.is_access_disabled,
         old.support_email, old.time_zone)
        is distinct from (new.customer_number, new.name, new.org_type, new.export_control_status, new.is_access_disabled,
         new.support_email, new.time_zone))
  execute function note_change();

-- A contact may be named before the person has ever signed in, hence no reference to person.
create table contact (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text not null check (email = lower(email collate "C")),
  role            text not null check (role in ('Licensing Portal Administrator', 'Licensing Portal Viewer', 'Ansys Support Coordinator (Administrator)')),
  added_at        timestamptz not null default now(),
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, email)
);
create index contact_by_email on contact (email, customer_number);
create index contact_by_address on contact (email collate "C", customer_number);
create index contact_by_change on contact (changed_at, customer_number, email collate "C");

create trigger contact_change_is_noted before update on contact for each row
  when ((old.customer_number, old.email, old.role)
        is distinct from (new.customer_number, new.email, new.role))
  execute function note_change();
create trigger contact_removal_is_noted after delete on contact
  for each row execute function note_removal('contacts', 'customer_number', 'email');

-- Rights that business operations give to one person on one account.
create table account_grant (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text not null check (email = lower(email collate "C")),
  kind            text not null check (kind in ('sales-access', 'fnp-license-generator')),
  granted_by      text not null,
  granted_at      timestamptz not null default now(),
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, email, kind)
);
create index account_grant_by_email on account_grant (email, customer_number);
create index account_grant_by_address on account_grant (email collate "C", customer_number, kind);
create index account_grant_by_change on account_grant (changed_at, kind collate "C", customer_number, email collate "C");

create trigger account_grant_change_is_noted before update on account_grant for each row
  when ((old.customer_number, old.email, old.kind)
        is distinct from (new.customer_number, new.email, new.kind))
  execute function note_change();
create trigger account_grant_removal_is_noted after delete on account_grant
  for each row execute function note_removal('roles', 'kind', 'customer_number', 'email');

-- The accounts that a person has opened, for "Recent accounts" and for the account that sign-in lands on. Read by person, so it
-- is not distributed by customer and refers to no account.
create table recent_account (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  email           text not null,
  opened_at       timestamptz not null,
  primary key (customer_number, email)
);
create index recent_account_of_person on recent_account (email, opened_at desc);

-- after: data
-- Products, and what they cost.
create table product (
  part_number     text primary key,
  name            text not null unique,
  item_number     text not null unique,
  daemon          text not null check (daemon in ('ansyslmd', 'ansoftd', 'fluentd', 'apacheda', 'sequenced')),
  is_node_locked  boolean not null default false,
  feature_names   text[] not null check (cardinality(feature_names) > 0),
  -- How often something changed that license files are made from: a host with seats of the product then needs a new file
  -- (docs/decisions/0030-what-a-license-file-is-made-from.md).
  license_changes integer not null default 0,
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create index product_by_change on product (changed_at, part_number collate "C");

create function count_license_change() returns trigger language plpgsql as $$
begin
  new.license_changes := old.license_changes + 1;
  return new;
end $$;
create trigger product_license_change_is_counted before update on product for each row
  when ((old.daemon, old.is_node_locked, old.feature_names) is distinct from (new.daemon, new.is_node_locked, new.feature_names))
  execute function count_license_change();
create trigger product_change_is_noted before update on product for each row
  when ((old.part_number, old.name, old.item_number, old.daemon, old.is_node_locked, old.feature_names)
        is distinct from (new.part_number, new.name, new.item_number, new.daemon, new.is_node_locked, new.feature_names))
  execute function note_change();

-- Units that one hour of one seat costs, by rate table.
create table elastic_rate (
  part_number        text not null references product,
  rate_table_version text not null,
  units_per_hour     numeric(12, 4) not null check (units_per_hour > 0),
  changed_at         timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (part_number, rate_table_version)
);
create index elastic_rate_by_change on elastic_rate (changed_at, rate_table_version collate "C", part_number collate "C");

create trigger elastic_rate_change_is_noted before update on elastic_rate for each row
  when ((old.part_number, old.rate_table_version, old.units_per_hour)
        is distinct from (new.part_number, new.rate_table_version, new.units_per_hour))
  execute function note_change();

-- What an FSA order line costs for a period; 365 stands for "1 year".
create table fsa_price (
  part_number text not null references product,
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  days        integer not null check (days in (7, 30, 60, 90, 180, 365)),
  price       numeric(14, 2) not null check (price > 0),
  changed_at  timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (part_number, currency, days)
);
create index fsa_price_by_change on fsa_price (changed_at, currency collate "C", part_number collate "C", days);

create trigger fsa_price_change_is_noted before update on fsa_price for each row
  when ((old.part_number, old.currency, old.days, old.price)
        is distinct from (new.part_number, new.currency, new.days, new.price))
  execute function note_change();

-- after: accounts, catalog
-- The owner of an activation id. The id is unique in the whole portal, so it is claimed here first, in the same
-- transaction: unique keys of a customer's own tables begin with the customer number.
create table activation_owner (
  activation_id   text collate "C" primary key,
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  unique (customer_number, activation_id)
);

-- What an account has bought. One row is one activation id; FSA contracts and their orders are rows here as well. The
-- holdings of an account decide what can be done on it, so every writer of this table announces its changes
-- (server/identity/access-changes.queries.ts).
create table entitlement (
  customer_number    text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  activation_id      text collate "C" not null check (activation_id ~ '^[A-Za-z0-9-]{1,64}$'),
  entitlement_id     text collate "C" not null,
  part_number        text collate "C" not null,
  product_name       text collate "C" not null,
  license_model      text collate "C" not null,
  -- Lease, Paid-up or Evaluation
  type               text collate "C" not null default 'Lease',
  -- FSA marks what belongs to a spending account: the contract (no fsa_id) and its orders (with one)
  subtype            text collate "C" not null default '',
  state              text collate "C" not null default 'Deployed' check (state in ('Deployed', 'Draft', 'Obsolete')),
  line_item_quantity integer not null check (line_item_quantity >= 0),
  -- seats on hosts: the ledger's sum, kept by the ledger's trigger and by nothing else (activations.sql)
  activated_count    integer not null default 0,
  units_per_line     numeric(14, 2) not null default 1 check (units_per_line >= 0),
  start_date         date not null,
  end_date           date,
  -- for comparing and ordering: what is permanent ends after every day
  ends_on            date generated always as (coalesce(end_date, date 'infinity')) stored,
  version_date       date,
  is_permanent       boolean not null default false,
  is_borrowable      boolean generated always as (license_model like '%Borrow%') stored,
  po_number          text collate "C" not null default '',
  order_id           text not null default '',
  currency           text not null default 'USD',
  price              numeric(14, 2),
  rate_table_version text not null default '',
  fsa_id             text,
  is_manual          boolean not null default false,
  requester_email    text,
  ordered_at         timestamptz,
  created_at         timestamptz not null default now(),
  -- The kind of the entitlement: the menu and every entitlement screen ask for one of these.
  kind               text generated always as (
    case
      when license_model = 'Elastic-AEU' then 'ELASTIC'
      when subtype = 'FSA' and fsa_id is null then 'FSA'
      when license_model in ('Shared Web', 'ConcurrentProduct') then 'CONCURRENT'
      when license_model = 'Named User' then 'SUBSCRIPTION'
      else 'SSL'
    end) stored,
  -- counts changes as product.license_changes does
  license_changes    integer not null default 0,
  changed_at         timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, activation_id),
  constraint activation_id_is_claimed
    foreign key (customer_number, activation_id) references activation_owner (customer_number, activation_id),
  check (is_permanent = (end_date is null)),
  check (end_date >= start_date),
  constraint activated_within_quantity check (activated_count between 0 and line_item_quantity)
);
create index entitlement_by_kind on entitlement (customer_number, kind, state);
create index entitlement_by_end on entitlement (customer_number, ends_on, activation_id) where state = 'Deployed';
-- What was ordered from a contract, and the history of all orders.
create index entitlement_by_contract on entitlement (customer_number, fsa_id, ordered_at) where fsa_id is not null;
create index entitlement_by_change on entitlement (changed_at, customer_number, activation_id);
-- Home of staff counts what ends soon over all accounts, each kind of entitlement apart.
create index entitlement_ending on entitlement (kind, ends_on, customer_number)
  where state = 'Deployed' and ends_on < 'infinity';
-- Staff search over all accounts by the beginning of an id or an order.
create index entitlement_by_order on entitlement (order_id collate "C") where order_id <> '';
create index entitlement_by_purchase_order on entitlement (po_number) where po_number <> '';
create index entitlement_by_id on entitlement (entitlement_id);

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
create trigger entitlement_license_change_is_counted before update on entitlement for each row
  when ((old.part_number, old.product_name, old.license_model, old.start_date, old.end_date, old.version_date)
        is distinct from (new.part_number, new.product_name, new.license_model, new.start_date, new.end_date, new.version_date))
  execute function count_license_change();

-- Booked on an elastic entitlement: what is left of a balance must not cost a walk over all its days. The sums of elastic
-- usage keep it, in elastic.sql.
create table usage_total (
  customer_number text collate "C" not null,
  activation_id   text collate "C" not null,
  charge          numeric(18, 2) not null,
  hours           numeric(16, 2) not null,
  transactions    bigint not null,
  primary key (customer_number, activation_id),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 50);

-- after: entitlements, installation
-- License hosts, the ledger of seats on them, license files, and the plans that change them.

-- A triad is one host: three names and three ids of one type, joined by commas, the primary first. The same machine under two
-- accounts is two rows: sharing is something that people declare, never a coincidence.
create table host (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  host_id         text collate "C" not null check (host_id ~ case host_id_type
                    when 'ETHERNET' then '^[0-9a-f]{12}(,[0-9a-f]{12},[0-9a-f]{12})?$'
                    when 'DISK_SERIAL_NUM' then '^[0-9a-f]{8}(,[0-9a-f]{8},[0-9a-f]{8})?$'
                    when 'FLEXID' then '^9-[0-9a-f]{8}(,9-[0-9a-f]{8},9-[0-9a-f]{8})?$' end),
  -- One machine has the same ids of one type, whatever their order within a triad. This is the id in a fixed order.
  machine_id      text collate "C" not null generated always as (
    case when host_id like '%,%' then
      least(split_part(host_id, ',', 1), split_part(host_id, ',', 2), split_part(host_id, ',', 3))
      || ',' ||
      greatest(
        least(split_part(host_id, ',', 1), split_part(host_id, ',', 2)),
        least(greatest(split_part(host_id, ',', 1), split_part(host_id, ',', 2)), split_part(host_id, ',', 3)))
      || ',' ||
      greatest(split_part(host_id, ',', 1), split_part(host_id, ',', 2), split_part(host_id, ',', 3))
    else host_id end) stored,
  host_name       text collate "C" not null check (host_name ~ '^[^,]+(,[^,]+,[^,]+)?$'),
  port            integer not null default 1055 check (port between 1 and 65535),
  -- decides whether borrowable licenses carry BORROW in the license file
  is_borrowable   boolean not null default false,
  added_at        timestamptz not null,
  -- A deleted host is no longer listed. Its ledger and files stay, and adding the host again restores it as it was.
  removed_at      timestamptz,
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, host_id_type, host_id),
  constraint host_is_one_machine unique (customer_number, host_id_type, machine_id),
  check ((host_name like '%,%') = (host_id like '%,%'))
);
-- Hosts in the order of their names, of which a page takes the first few.
create index host_by_name on host (customer_number, host_name, host_id);
create index host_by_change on host (changed_at, customer_number, host_id_type, host_id);
-- Staff search over all accounts by the beginning of an id, also of the second and third id of a triad.
create index host_by_id on host (host_id) where removed_at is null;
create index host_by_triad on host using gin (string_to_array(host_id, ',')) where host_id like '%,%' and removed_at is null;

create trigger host_change_is_noted before update on host for each row
  when ((old.customer_number, old.host_id_type, old.host_id, old.host_name, old.port, old.is_borrowable, old.added_at,
         old.removed_at)
        is distinct from (new.customer_number, new.host_id_type, new.host_id, new.host_name, new.port, new.is_borrowable, new.added_at,
         new.removed_at))
  execute function note_change();

-- Customers that declared that they share a license server. The members of one group have the same group id. The same
-- machine can be in several groups of different customers, who know nothing of each other.
create table shared_server_member (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  machine_id      text collate "C" not null,
  group_id        text collate "C" not null,
  added_at        timestamptz not null,
  added_by        text not null,
  primary key (customer_number, host_id_type, machine_id)
);
create index shared_server_member_by_group on shared_server_member (group_id);

-- The ledger. A positive row activates seats of an entitlement on a host, a negative row returns them. Rows are only ever
-- added; how many seats are activated is their sum.
create table fulfillment (
  customer_number       text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  fulfillment_id        text collate "C" not null default gen_random_uuid()::text,
  -- the activation that a return takes back
  parent_fulfillment_id text collate "C",
  activation_id         text collate "C" not null,
  host_id_type          text collate "C" not null,
  host_id               text collate "C" not null,
  fulfill_count         integer not null check (fulfill_count <> 0),
  action                text collate "C" not null default 'EDIT' check (action in ('EDIT', 'REHOST', 'DEACTIVATE')),
  modified_by           text not null default 'Automated Action',
  fulfilled_at          timestamptz not null,
  primary key (customer_number, fulfillment_id),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, host_id_type, host_id) references host,
  foreign key (customer_number, parent_fulfillment_id) references fulfillment,
  check (parent_fulfillment_id is null or fulfill_count < 0)
);
create index fulfillment_by_activation on fulfillment (customer_number, activation_id, fulfilled_at);
create index fulfillment_by_host on fulfillment (customer_number, host_id_type, host_id, fulfilled_at);

create trigger fulfillment_is_append_only before update or delete on fulfillment
  for each statement execute function refuse_change();
create trigger fulfillment_is_not_truncated before truncate on fulfillment
  for each statement execute function refuse_change();

-- The ledger's sum per entitlement and host; zero once everything was returned.
create table host_seats (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  host_id_type    text collate "C" not null,
  host_id         text collate "C" not null,
  seats           integer not null,
  primary key (customer_number, activation_id, host_id_type, host_id),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, host_id_type, host_id) references host,
  constraint host_seats_not_negative check (seats >= 0)
);
create index host_seats_by_host on host_seats (customer_number, host_id_type, host_id) where seats > 0;

-- Every ledger row moves both sums in its own transaction, and their checks refuse what does not fit. The sums are rows
-- that are *updated*, not recomputed, so concurrent writers wait or get a serialization failure at every isolation
-- level. The entitlement is locked before its hosts.
create function keep_seats() returns trigger language plpgsql as $$
begin
  update entitlement e set activated_count = e.activated_count + new.fulfill_count
   where e.customer_number = new.customer_number and e.activation_id = new.activation_id;
  update host_seats s set seats = s.seats + new.fulfill_count
   where s.customer_number = new.customer_number and s.activation_id = new.activation_id
     and s.host_id_type = new.host_id_type and s.host_id = new.host_id;
  if not found then
    insert into host_seats (customer_number, activation_id, host_id_type, host_id, seats)
    values (new.customer_number, new.activation_id, new.host_id_type, new.host_id, new.fulfill_count);
  end if;
  return null;
end $$;
create trigger fulfillment_moves_seats after insert on fulfillment for each row execute function keep_seats();

-- Only the ledger's trigger may write the sums (for which this trigger runs at depth 2), never a statement directly.
create function refuse_outside_ledger() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % follows the fulfillment ledger: % refused', tg_argv[0], tg_table_name, tg_op
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger activated_count_follows_ledger before update of activated_count on entitlement
  for each row when (old.activated_count <> new.activated_count)
  execute function refuse_outside_ledger('activated_count');
create trigger activated_count_starts_at_zero before insert on entitlement
  for each row when (new.activated_count <> 0) execute function refuse_outside_ledger('activated_count');
create trigger host_seats_follow_ledger before insert or update or delete on host_seats
  for each row execute function refuse_outside_ledger('seats');
create trigger host_seats_are_not_truncated before truncate on host_seats
  for each statement execute function refuse_change();

-- Keys that sign license files. One is current; the others only verify. The private half is encrypted with a key that is
-- derived from the installation's secret.
create table signing_key (
  key_id             text collate "C" primary key check (key_id ~ '^[A-Za-z0-9-]{1,40}$'),
  public_key         bytea not null,
  sealed_private_key bytea not null,
  created_at         timestamptz not null,
  created_by         text not null,
  retired_at         timestamptz
);
create unique index one_current_signing_key on signing_key ((true)) where retired_at is null;

-- Every license file that was ever generated. `position` orders files of the same instant.
create table license_file (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  file_id         text collate "C" not null default gen_random_uuid()::text,
  position        bigint generated always as identity,
  host_id_type    text collate "C" not null,
  host_id         text collate "C" not null,
  generated_at    timestamptz not null,
  generated_by    text not null,
  reason          text not null check (reason in ('FIRST', 'SEATS_CHANGED', 'LICENSES_EXPIRED', 'REQUESTED')),
  issued_on       date not null,
  -- what the customer alone has on the host
  own_text        text not null,
  -- one text for everybody in `customers`, where the server is shared
  shared_text     text,
  customers       text[] not null check (cardinality(customers) > 0),
  -- the ledger's length for every customer that shares the server: if it differs now, seats or members have changed
  made_from       text not null,
  -- the first day on which something in the file ends; null if nothing does
  first_end       date,
  key_id          text collate "C" not null references signing_key,
  primary key (customer_number, file_id),
  foreign key (customer_number, host_id_type, host_id) references host
);
create index license_file_by_host on license_file (customer_number, host_id_type, host_id, position desc);

create trigger license_file_is_append_only before update or delete on license_file
  for each statement execute function refuse_change();
create trigger license_file_is_not_truncated before truncate on license_file
  for each statement execute function refuse_change();

-- What is done to hosts as one plan: saved on the activations screen, moved to another host, deactivated, renewed, or taken
-- back from a lost one. A plan is stored with all its steps; each is done in one transaction with the note that it is done.
create table host_plan (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  plan_id         text collate "C" not null default gen_random_uuid()::text,
  action          text collate "C" not null check (action in ('REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN', 'REGENERATE', 'SAVE')),
  state           text collate "C" not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- the hosts, whose seats are meant, and why
  request         jsonb not null,
  requested_by    text not null,
  requested_at    timestamptz not null,
  -- who asked, from where: for the audit entries of the steps
  requested_from  jsonb not null,
  finished_at     timestamptz,
  failure_code    text collate "C",
  failure         text,
  primary key (customer_number, plan_id),
  check ((state in ('done', 'failed')) = (finished_at is not null)),
  check ((state = 'failed') = (failure is not null) and (failure is null) = (failure_code is null))
);
create index host_plan_unfinished on host_plan (requested_at) where finished_at is null;
create index host_plan_by_time on host_plan (customer_number, requested_at desc);

create table host_plan_step (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  plan_id         text collate "C" not null,
  position        integer not null,
  step            jsonb not null,
  done_at         timestamptz,
  primary key (customer_number, plan_id, position),
  foreign key (customer_number, plan_id) references host_plan
);

-- Seats that an unfinished plan has returned and will activate again, or will activate first: nobody else may have them.
create table reserved_seats (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  plan_id         text collate "C" not null,
  seats           integer not null check (seats >= 0),
  primary key (customer_number, activation_id, plan_id),
  foreign key (customer_number, activation_id) references entitlement
);
create index reserved_seats_by_plan on reserved_seats (plan_id);

-- Hosts that an unfinished plan changes: one plan at a time.
create table busy_host (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  machine_id      text collate "C" not null,
  plan_id         text collate "C" not null,
  primary key (customer_number, host_id_type, machine_id)
);
create index busy_host_by_plan on busy_host (plan_id);

-- after: installation
-- The audit log. Rows are added and never changed. The oldest are removed only by the owner's function that applies the retention.
create function refuse_audit_removal() returns trigger language plpgsql as $$
begin
  if current_setting('portal.audit_retention', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create table audit_log (
  id              bigint generated always as identity,
  at              timestamptz not null,
  email           text not null,
  address         text not null,
  request_id      text not null,
  -- which kind of caller acted: a person, a service key, a token of a customer, or an operator on the command line;
  -- null where nobody was known
  principal       text check (principal in ('session', 'service key', 'operator', 'token')),
  action          text not null,
  -- The number that the caller gave: a refusal may name an account that does not exist. Empty for acts without an
  -- account, because a row without a customer number would belong to no shard.
  customer_number text collate "C" not null default '',
  target          text,
  before          jsonb,
  after           jsonb,
  outcome         text not null check (outcome in ('done', 'refused')),
  reason          text,
  -- What the caller says that it is (User-Agent), shortened.
  program         text,
  -- The name and id of the token or service key that acted; null for everybody else.
  credential      text,
  -- The act in words.
  text            text not null,
  primary key (customer_number, id)
);
create index audit_log_by_account on audit_log (customer_number, at desc);
-- The timeline of a host reads what was done to it.
create index audit_log_by_target on audit_log (customer_number, target, at desc) where target is not null;

create trigger audit_log_is_append_only before update on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_is_not_removed before delete on audit_log
  for each statement execute function refuse_audit_removal();
create trigger audit_log_is_not_truncated before truncate on audit_log
  for each statement execute function refuse_change();

-- Rows of the log that wait for the sealer. The writer adds them in its own transaction (docs/decisions/0190-sealed-audit-log.md).
create table audit_pending (
  customer_number text collate "C" not null,
  audit_id        bigint not null,
  primary key (customer_number, audit_id)
);

-- The end of each account's chain: whoever seals rows of the account locks it.
create table audit_head (
  customer_number text collate "C" primary key,
  sequence        bigint not null default 0 check (sequence >= 0),
  hash            bytea not null check (length(hash) = 32)
);

-- The chain of each account: which row of the log comes next, the hash of what it says, and of the one before.
create table audit_seal (
  customer_number text collate "C" not null,
  sequence        bigint not null check (sequence > 0),
  audit_id        bigint not null,
  previous_hash   bytea not null check (length(previous_hash) = 32),
  hash            bytea not null check (length(hash) = 32),
  primary key (customer_number, sequence),
  unique (customer_number, audit_id),
  unique (customer_number, previous_hash)
);
create trigger audit_seal_is_append_only before update on audit_seal
  for each statement execute function refuse_change();
create trigger audit_seal_is_not_removed before delete on audit_seal
  for each statement execute function refuse_audit_removal();
create trigger audit_seal_is_not_truncated before truncate on audit_seal
  for each statement execute function refuse_change();

-- Signed ends of chains, one per account and day at least. They stay when the rows before them are removed.
create table audit_checkpoint (
  customer_number text collate "C" not null,
  sequence        bigint not null check (sequence > 0),
  day             date not null,
  made_at         timestamptz not null,
  hash            bytea not null check (length(hash) = 32),
  key_id          text not null,
  public_key      bytea not null,
  signature       bytea not null,
  primary key (customer_number, sequence)
);
create trigger audit_checkpoint_is_append_only before update or delete on audit_checkpoint
  for each statement execute function refuse_change();
create trigger audit_checkpoint_is_not_truncated before truncate on audit_checkpoint
  for each statement execute function refuse_change();

-- After how many days entries are removed; no row keeps everything. Only the owner of the tables writes it.
create table audit_retention (
  is_only boolean primary key default true check (is_only),
  days    integer not null check (days > 0)
);

-- Where a chain can begin anew: the newest checkpoint up to which every row is older. Null if there is no row to remove.
create function removable_audit_end(customer text, older_than timestamptz) returns bigint language plpgsql stable as $$
begin
  return (
    select max(c.sequence) from audit_checkpoint c
     where c.customer_number = customer
       and c.sequence >= (select min(s.sequence) from audit_seal s where s.customer_number = customer)
       and c.sequence < coalesce((
             select min(s.sequence) from audit_seal s join audit_log l on l.customer_number = customer and l.id = s.audit_id
              where s.customer_number = customer and l.at >= older_than),
             (select h.sequence + 1 from audit_head h where h.customer_number = customer)));
end $$;

-- Removes the beginning of a chain that is older than the retention, and answers up to where and how many rows. Runs as the owner of
-- the tables: the portal's role may not delete there, and cannot change the retention.
create function remove_old_audit_rows(customer text, out up_to bigint, out removed bigint) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  up_to := (select removable_audit_end(customer, now() - make_interval(days => r.days)) from audit_retention r);
  removed := 0;
  if up_to is null then
    return;
  end if;
  -- On shards the nodes get settings only if they are told to; elsewhere this is an unknown name, which does no harm.
  set local citus.propagate_set_commands = 'local';
  set local portal.audit_retention = 'on';
  delete from audit_log l using audit_seal s
   where s.customer_number = customer and s.sequence <= up_to and l.customer_number = customer and l.id = s.audit_id;
  delete from audit_seal s where s.customer_number = customer and s.sequence <= up_to;
  get diagnostics removed = row_count;
  set local portal.audit_retention = 'off';
end $$;

-- after: accounts
-- Feature flags: one per route, named by it, and a few variants. Unknown flags are enabled.
create table feature (
  name        text primary key,
  description text not null,
  is_default  boolean not null default true,
  position    integer not null
);

-- Kept once per pair; it holds in both directions.
create table feature_conflict (
  name  text not null references feature,
  other text not null references feature,
  primary key (name, other),
  check (name < other)
);

create table person_feature (
  email      text not null check (email = lower(email collate "C")),
  name       text not null references feature,
  is_enabled boolean not null,
  primary key (email, name)
);

-- Saved views of tables. Read by person, so it is not distributed by customer and refers to no account.
create table table_preference (
  email           text not null check (email = lower(email collate "C")),
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  table_name      text not null,
  preference      jsonb not null,
  saved_at        timestamptz not null,
  primary key (customer_number, email, table_name)
);
create index table_preference_by_person on table_preference (email, customer_number);

-- Views of tables that a person saved under a name. Shared ones are seen by everybody who sees the account.
create table table_view (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  view_id         uuid not null,
  email           text not null check (email = lower(email collate "C")),
  table_name      text not null,
  name            text not null check (length(name) between 1 and 60),
  is_shared       boolean not null,
  view            jsonb not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, view_id)
);
create unique index table_view_by_name on table_view (customer_number, email, table_name, lower(name));

-- Named views of tables that are shown without an account. Nobody else sees them.
create table person_view (
  email      text not null check (email = lower(email collate "C")),
  view_id    uuid not null,
  table_name text not null,
  name       text not null check (length(name) between 1 and 60),
  view       jsonb not null,
  saved_at   timestamptz(3) not null,
  primary key (email, view_id)
);
create unique index person_view_by_name on person_view (email, table_name, lower(name));

insert into feature (position, name, is_default, description) values
  (1, 'home', true, 'Home: what needs attention on the selected account'),
  (2, 'ssl', true, 'Leases and perpetuals'),
  (3, 'elastic', true, 'Elastic licensing entitlements'),
  (4, 'entitlementsFSA', true, 'Flexible Spending Account: entitlements, orders and history'),
  (5, 'activations', true, 'Activate entitlements on license servers'),
  (6, 'activations-history', true, 'Manage activations and their history'),
  (7, 'web-assignments', true, 'Web assignments by entitlement'),
  (8, 'f1202990', false, 'Web assignments by groups, users and entitlements'),
  (9, 'web-transactions', true, 'Checkouts of web licenses'),
  (10, 'web-reporting', true, 'Reports on the use of web licenses'),
  (11, 'optimization', true, 'Optimization: seats against their peak use'),
  (12, 'transactions', true, 'Elastic usage transactions'),
  (13, 'statementv2', true, 'Elastic statements'),
  (14, 'elastic-denials', true, 'Elastic denials: session starts that were denied'),
  (15, 'portalaccess', true, 'Licensing portal access: contacts and their roles'),
  (16, 'clscredentials', true, 'Elastic credentials: PIN and allowed usernames'),
  (17, 'whitelistips', true, 'Elastic IP settings'),
  (18, 'emails', true, 'E-mail history'),
  (19, 'notifications', true, 'Service alerts'),
  (26, 'reminders', true, 'Reminders and the calendar of end dates'),
  (27, 'operations', true, 'Operations: backups, messages, tasks and processes'),
  (28, 'audit', true, 'Audit log: who did what, and checkpoints');

insert into feature_conflict (name, other) values ('f1202990', 'web-assignments');

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
  primary key (customer_number, id)
);
create index elastic_denial_by_time on elastic_denial (customer_number, denied_at, id);
-- Home of staff counts over all accounts.
create index elastic_denial_newest on elastic_denial (denied_at, customer_number);

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

-- Adds finished sessions of one account to its sums. This is the only place where usage is summed.
-- One statement for each table, not one with all of them: on several nodes, the parts of such a statement would be sent to every node.
create function add_to_usage_days(customer text, ends timestamptz[], activation_ids text[], products text[],
                                  users text[], projects text[], hosts text[], currencies text[], charges numeric[],
                                  session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone text;
  days date[];
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
create trigger usage_totals_follow_booking before insert or update or delete on usage_total
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_totals_are_not_truncated before truncate on usage_total
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();

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

-- after: entitlements
-- What a spending account (FSA contract) is worth and what was ordered from it. The contract and its orders are
-- entitlements; every change of them moves this row in its own transaction, and the check refuses what is more than the
-- contract holds. The sum is a row that is *updated*, not recomputed, so concurrent orders wait or get a serialization
-- failure at every isolation level.
create table fsa_contract (
  customer_number            text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  -- the entitlement id of the contract, by which its orders name it
  fsa_id                     text collate "C" not null,
  activation_id              text collate "C" not null,
  currency                   text not null,
  price                      numeric(14, 2) not null check (price >= 0),
  ordered                    numeric(14, 2) not null default 0,
  -- who is told of orders
  business_operations_emails text[] not null default '{}',
  primary key (customer_number, fsa_id),
  unique (customer_number, activation_id),
  foreign key (customer_number, activation_id) references entitlement on delete cascade,
  constraint ordered_within_price check (ordered between 0 and price)
);

create function draw_on_contract(customer text, contract text, in_currency text, amount numeric) returns void
  language plpgsql as $$
begin
  if amount = 0 then return; end if;
  update fsa_contract c set ordered = c.ordered + amount
   where c.customer_number = customer and c.fsa_id = contract and c.currency = in_currency;
  if not found then
    raise exception 'customer % has no FSA contract % in %', customer, contract, in_currency
      using errcode = 'foreign_key_violation';
  end if;
end $$;

create function keep_fsa_contract() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.kind = 'FSA' then
    insert into fsa_contract as c (customer_number, fsa_id, activation_id, currency, price)
    values (new.customer_number, new.entitlement_id, new.activation_id, new.currency, coalesce(new.price, 0))
    on conflict (customer_number, activation_id)
      do update set fsa_id = excluded.fsa_id, currency = excluded.currency, price = excluded.price;
    -- Drafts follow the contract; their reference to it is checked at the end of the transaction.
    if tg_op = 'UPDATE' and old.entitlement_id <> new.entitlement_id then
      update fsa_draft d set fsa_id = new.entitlement_id
       where d.customer_number = new.customer_number and d.fsa_id = old.entitlement_id;
    end if;
  end if;
  if tg_op <> 'INSERT' and old.subtype = 'FSA' and old.fsa_id is not null and old.state = 'Deployed' then
    perform draw_on_contract(old.customer_number, old.fsa_id, old.currency, -coalesce(old.price, 0));
  end if;
  if tg_op <> 'DELETE' and new.subtype = 'FSA' and new.fsa_id is not null and new.state = 'Deployed' then
    perform draw_on_contract(new.customer_number, new.fsa_id, new.currency, coalesce(new.price, 0));
  end if;
  return null;
end $$;
create trigger fsa_contract_follows_new after insert on entitlement
  for each row when (new.subtype = 'FSA') execute function keep_fsa_contract();
create trigger fsa_contract_follows_changed
  after update of entitlement_id, license_model, subtype, state, currency, price, fsa_id on entitlement
  for each row when (old.subtype = 'FSA' or new.subtype = 'FSA') execute function keep_fsa_contract();
create trigger fsa_contract_follows_deleted after delete on entitlement
  for each row when (old.subtype = 'FSA') execute function keep_fsa_contract();

-- Only the triggers of entitlements may write the balance (for which this trigger runs at depth 2), never a statement
-- directly.
create function refuse_direct_balance() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'the balance of an FSA contract follows its entitlements: % refused', tg_op
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger balance_follows_entitlements before insert or update of fsa_id, currency, price, ordered on fsa_contract
  for each row execute function refuse_direct_balance();

-- Orders that somebody prepared and nobody has placed yet. The lines are kept as the order call takes them.
create table fsa_draft (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  draft_id        text collate "C" not null default gen_random_uuid()::text,
  fsa_id          text collate "C" not null,
  name            text not null,
  lines           jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- counts the saves, so that nobody overwrites or orders what they have not seen
  revision        integer not null default 1,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, draft_id),
  foreign key (customer_number, fsa_id) references fsa_contract on delete cascade deferrable initially deferred
);

-- after: accounts
-- What a person has put off until a day on the work list of an account, or marked as done when so many were counted
-- (domain/home/work-list.ts).
create table hidden_matter (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text not null check (email = lower(email collate "C")),
  key             text collate "C" not null,
  until           date,
  count           integer not null check (count >= 0),
  hidden_at       timestamptz(3) not null,
  primary key (customer_number, email, key)
);

-- Who is calling: people and their sessions, and service keys. Email addresses are kept in lower case: that is what people are
-- matched by. People are told apart by every letter of their address but for the case of ASCII letters
-- (domain/settings/email-address.ts): in the locale of the database, lower() also makes a "k" of the Kelvin sign; in "C" it folds
-- ASCII letters only.
-- Every process caches sessions, roles, standings and service keys. Every writer announces its changes
-- (server/identity/access-changes.queries.ts, docs/decisions/0003-one-query-before-every-call.md).
create table person (
  email           text primary key check (email = lower(email collate "C")),
  first_name      text not null default '',
  last_name       text not null default '',
  last_sign_in_at timestamptz
);

-- The browser holds a random id, the table only its SHA-256, so that a copy of the table opens nothing.
create table session (
  id_hash                  bytea primary key,
  email                    text not null check (email = lower(email collate "C")),
  -- staff roles that the identity provider confirmed at sign-in, in addition to those of staff_role
  claim_roles              text[] not null default '{}',
  -- null: the provider gave no refresh token, so the roles last as long as the session
  claim_roles_checked_at   timestamptz,
  -- set while a process asks for the roles: no other one does
  claim_roles_asking_until timestamptz,
  -- set when asking failed
  claim_roles_ask_again_at timestamptz,
  -- when the provider last asked the person for a password or the like (auth_time); null if it did not say
  authenticated_at         timestamptz,
  -- the contact whose portal a member of staff looks at, read-only
  viewing_as               text check (viewing_as = lower(viewing_as collate "C")),
  -- the account on which they began to, whose audit log says so
  viewing_on               text,
  created_at               timestamptz not null,
  last_seen_at             timestamptz not null,
  expires_at               timestamptz not null
);
create index session_by_email on session (email);
create index session_by_expiry on session (expires_at);

-- What the identity provider handed over for a session, each encrypted: its ID token, which it wants to see again at
-- sign-out, and its refresh token, with which the roles of the person are asked for again.
create table session_token (
  id_hash       bytea primary key references session (id_hash) on delete cascade,
  subject       text not null,
  id_token      bytea not null,
  refresh_token bytea
);

-- A sign-in that has left for the identity provider; used once and then gone.
create table sign_in_attempt (
  id_hash    bytea primary key,
  state      text not null,
  nonce      text not null,
  verifier   text not null,
  return_to  text not null,
  -- in seconds: how long ago the provider may have asked the person; null if that does not matter
  max_age    integer,
  expires_at timestamptz not null
);

-- Keys of the vendor's own systems. The key itself is shown once, when it is made; the table has only the SHA-256 of its
-- secret, which is enough because the secret is random and long.
create table service_key (
  id           text collate "C" primary key check (id ~ '^[a-z0-9]{12}$'),
  name         text not null check (name <> '' and length(name) <= 100),
  scopes       text[] not null check (cardinality(scopes) > 0),
  secret_hash  bytea not null,
  created_at   timestamptz not null,
  created_by   text not null,
  expires_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  check (expires_at > created_at)
);
-- A name identifies the key that is in use; a revoked one leaves its name free.
create unique index service_key_by_name on service_key (name) where revoked_at is null;

-- Tokens of customers: programs call the API with the rights that the owner has now, within the scopes. Only a hash is
-- kept. A token is found by its hash, before its customer is known, so the table is not distributed by customer.
create table api_token (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  id              uuid not null,
  secret_hash     bytea not null unique check (length(secret_hash) = 32),
  name            text not null check (name <> '' and length(name) <= 100),
  owner           text not null,
  scopes          text[] not null check (cardinality(scopes) > 0),
  -- networks that it may be used from; everywhere if there are none
  addresses       text[] not null,
  created_at      timestamptz(3) not null,
  expires_at      timestamptz(3) not null check (expires_at <= created_at + interval '366 days 1 hour'),
  last_used_at    timestamptz(3),
  last_address    text,
  revoked_at      timestamptz(3),
  -- the token that was made instead; this one ends with the overlap
  replaced_by     uuid,
  -- the last warning of its end that was mailed to the owner, in days before it
  warned_days     smallint,
  primary key (customer_number, id)
);
create index api_token_by_end on api_token (expires_at) where revoked_at is null;

-- What an account allows its tokens; without a row, everything.
create table api_token_policy (
  customer_number  text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  longest_days     smallint not null check (longest_days between 1 and 366),
  is_write_allowed boolean not null
);

-- after: settings
-- What license servers report about their seats. Times without a zone are those of the license server's clock.

-- How an account keeps what its license servers report.
create table license_use_settings (
  customer_number   text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  has_pseudonyms    boolean not null default false,
  -- makes pseudonyms: without it nobody can tell whose name a pseudonym stands for by trying names
  pseudonym_secret  bytea not null,
  -- single checkouts and denials are removed after so many days, sums are not
  kept_days         integer not null default 400 check (kept_days between 30 and 4000),
  saved_by          text not null,
  saved_at          timestamptz(3) not null
);

-- The last report of each license server.
create table license_report (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  reported_at     timestamptz(3) not null,
  -- the last line of a debug log, and the last lmstat output
  log_at          timestamp(0),
  status_at       timestamp(0),
  -- the last lmstat could not be read, for example because the license server did not answer
  status_error    text,
  -- times whose sums are not made yet: a large file is being read
  unsummed_from   timestamp(0),
  unsummed_to     timestamp(0),
  -- single checkouts and denials before this time were removed: sums of then cannot be made again
  removed_before  timestamp(0),
  -- lines of the last lmstat output that could not be read, and the first of them as [{"line": 8, "code": "unreadable"}]
  status_unread_lines integer not null default 0,
  status_problems jsonb not null default '[]',
  primary key (customer_number, host_id)
);

-- A debug log, read up to a position. Positions and lengths are bytes of the file.
create table license_log (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  number          integer not null,
  -- what its sender calls it; the parts of one name are one file
  name            text collate "C" not null,
  position        bigint not null default 0,
  -- the beginning of the file and what was read last, by which an upload is recognized as the same file, grown or not
  head_hash       bytea not null,
  head_length     integer not null,
  tail_hash       bytea not null,
  tail_length     integer not null,
  -- what the reader knows at the position
  state           jsonb not null,
  -- the unfinished last line, encrypted: it may name a user
  rest            bytea not null,
  first_at        timestamp(0),
  last_at         timestamp(0),
  lines           bigint not null default 0,
  unread_lines    bigint not null default 0,
  primary key (customer_number, host_id, number),
  constraint license_log_has_one_name unique (customer_number, host_id, name)
);

-- Parts of logs as they arrived. The content is kept only until everything before it has arrived and was read.
create table license_log_part (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  name            text collate "C" not null,
  position        bigint not null check (position >= 0),
  end_position    bigint not null check (end_position > position),
  hash            bytea not null,
  -- encrypted
  content         bytea,
  arrived_at      timestamptz(3) not null,
  primary key (customer_number, host_id, name, position)
);
create index license_log_part_by_arrival on license_log_part (customer_number, arrived_at);

-- Lines that could not be read. The first thousand of a log are kept.
create table license_log_problem (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  number          integer not null,
  line            bigint not null,
  code            text collate "C" not null,
  primary key (customer_number, host_id, number, line, code)
);

-- Starts and ends of license managers and vendor daemons: they end checkouts of earlier logs as well.
create table license_lifecycle (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  number          integer not null,
  at              timestamp(0) not null,
  event           text collate "C" not null,
  daemon          text collate "C" not null default '',
  primary key (customer_number, host_id, at, event, daemon, number)
);

-- One checkout. Partitioned by the month in which the seat went out.
create table license_checkout (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  number          integer not null,
  id              bigint not null,
  daemon          text collate "C" not null,
  feature         text collate "C" not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  data            text collate "C",
  seats           integer not null check (seats > 0),
  out_at          timestamp(0) not null check (isfinite(out_at)),
  -- infinity while the seat is out
  in_at           timestamp(0) not null default 'infinity',
  -- the place of the return among the events of its log, as id is that of the checkout; null: the seat is out, or another log says that it is back
  in_id           bigint,
  closed_by       text collate "C",
  -- false: the seat went out before the log begins, whose first line stands in
  is_start_known  boolean not null default true,
  -- the log itself does not say that the seat came back: a later log may
  is_open_in_log  boolean not null default false,
  -- this return belongs to a checkout of an earlier log, which has it now
  is_joined       boolean not null default false,
  -- another log has the same line: this one does not count, and is_joined is set as well
  is_repeated     boolean not null default false,
  -- lmstat no longer showed it at this time: the end is inferred, until a log says when it was
  gone_at         timestamp(0),
  primary key (customer_number, host_id, number, id, out_at)
) partition by range (out_at);
create index license_checkout_by_return on license_checkout (customer_number, host_id, in_at, out_at);
create index license_checkout_by_feature on license_checkout (customer_number, feature, out_at);
create index license_checkout_out on license_checkout (customer_number, host_id, feature) where in_at = 'infinity';
create index license_checkout_to_join on license_checkout (customer_number, host_id, out_at)
  where is_open_in_log or not is_start_known;

-- One refusal, by the month in which it was.
create table license_denial (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  number          integer not null,
  id              bigint not null,
  at              timestamp(0) not null check (isfinite(at)),
  event           text collate "C" not null check (event in ('DENIED', 'UNSUPPORTED')),
  daemon          text collate "C" not null,
  feature         text collate "C" not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  seats           integer not null,
  version         text collate "C",
  code            integer,
  reason          text collate "C",
  cause           text collate "C" not null,
  is_retry        boolean not null,
  is_granted      boolean not null default false,
  -- a shortage that was no retry and after which the user got no seat within a minute
  is_real         boolean not null,
  -- another log has the same line: this one does not count
  is_repeated     boolean not null default false,
  primary key (customer_number, host_id, number, id, at)
) partition by range (at);
create index license_denial_by_time on license_denial (customer_number, at);
create index license_denial_by_feature on license_denial (customer_number, host_id, feature, at);

-- Makes the months from one day to another. Runs as the owner of the tables, because the portal's role may not create any.
create function ensure_license_use_partitions(from_day timestamp, to_day timestamp) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month     timestamp := date_trunc('month', from_day);
  partition text;
  parent    text;
  writer    record;
  made      integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('license use partitions'));
  while month <= to_day loop
    foreach parent in array array['license_checkout', 'license_denial'] loop
      partition := parent || to_char(month, '_YYYY_MM');
      if to_regclass(partition) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          partition, parent, month, month + interval '1 month');
        for writer in
          select distinct a.grantee::regrole as role from pg_class c cross join aclexplode(c.relacl) a
           where c.oid = parent::regclass and a.privilege_type = 'INSERT' and a.grantee not in (0, c.relowner)
        loop
          execute format('grant select, insert, update, delete on %I to %s', partition, writer.role);
        end loop;
        made := made + 1;
      end if;
    end loop;
    month := month + interval '1 month';
  end loop;
  return made;
end $$;

-- Seats in use by the hour. Hours in which nothing was in use and nobody was refused have no row.
create table license_use_hour (
  customer_number  text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id          text collate "C" not null,
  feature          text collate "C" not null,
  hour             timestamp(0) not null,
  peak             integer not null,
  seat_seconds     bigint not null,
  seconds_at_limit integer not null,
  -- as known when the hour was summed
  seat_limit       integer,
  checkouts        integer not null,
  denials          integer not null,
  real_denials     integer not null,
  primary key (customer_number, host_id, feature, hour)
) with (fillfactor = 80);
create index license_use_hour_by_time on license_use_hour (customer_number, hour)
  include (host_id, feature, peak, seat_seconds, seconds_at_limit, checkouts, denials, real_denials);

-- Use by the day of each user and of each host of users.
create table license_use_day (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  day             date not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  seat_seconds    bigint not null,
  checkouts       integer not null,
  real_denials    integer not null,
  primary key (customer_number, host_id, feature, day, user_name, user_host)
) with (fillfactor = 80);
create index license_use_day_by_time on license_use_day (customer_number, day);

-- The features of a license server as the last lmstat showed them.
create table license_feature (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  state           text collate "C" not null check (state in ('counted', 'uncounted', 'unsupported', 'error')),
  -- null: not known
  seat_limit      integer,
  in_use          integer,
  reserved        integer not null,
  queued          integer not null,
  expires         text collate "C",
  status_at       timestamp(0) not null,
  primary key (customer_number, host_id, feature)
);

-- Who holds or waits for a seat, as the last lmstat showed it.
create table license_holder (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  position        integer not null,
  kind            text collate "C" not null check (kind in ('in use', 'borrowed', 'queued')),
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  display         text collate "C" not null,
  version         text collate "C" not null,
  seats           integer not null,
  started_at      timestamp(0),
  -- the words of the line could be divided in several ways
  is_uncertain    boolean not null,
  primary key (customer_number, host_id, feature, position)
);

-- Seats in use at the lmstat outputs of an hour, by minute: {"05": {"solver": [3, 5]}} is 3 of 5 seats at five past. Only features in use.
create table license_sample (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  hour            timestamp(0) not null,
  polls           jsonb not null,
  primary key (customer_number, host_id, hour)
);

-- Checkouts that lmstat showed, each until the last output that showed it.
create table license_seen_checkout (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  started_at      timestamp(0) not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  handle          bigint not null,
  seats           integer not null,
  last_seen_at    timestamp(0) not null,
  primary key (customer_number, host_id, feature, started_at, user_host, handle)
);
create index license_seen_checkout_by_end on license_seen_checkout (customer_number, host_id, last_seen_at);

-- A file that is being uploaded in parts, compressed, until it is read. Positions are bytes of the file.
create table license_upload_part (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  upload_id       uuid not null,
  position        bigint not null check (position >= 0),
  length          integer not null check (length > 0),
  -- compressed and encrypted
  content         bytea not null,
  arrived_at      timestamptz(3) not null,
  primary key (customer_number, upload_id, position)
);
create index license_upload_part_by_arrival on license_upload_part (customer_number, arrived_at);

-- after: accounts
-- Emails and service alerts.

-- Every email of the portal, for the account's email history. Delivery is the outbox's.
create table mail (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              text collate "C" not null default gen_random_uuid()::text
                  check (id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  queued_at       timestamptz not null,
  -- Stays the same at every attempt: a mail server that has seen it can tell a repetition. It contains the mail's own id, so it is
  -- unique in the whole portal without being claimed.
  message_id      text not null,
  recipients      text[] not null check (cardinality(recipients) > 0),
  copies          text[] not null default '{}',
  subject         text not null check (subject <> '' and subject !~ '[[:cntrl:]]'),
  body_html       text not null,
  body_text       text not null,
  state           text not null default 'queued' check (state in ('queued', 'sent', 'mailbox', 'failed')),
  attempts        integer not null default 0 check (attempts >= 0),
  delivered_at    timestamptz,
  -- what the mail server said when it would not take the mail, or not for everybody
  trouble         text not null default '',
  -- taken out of the history by somebody; the row stays, as the audit log's witness
  deleted_at      timestamptz,
  deleted_by      text,
  primary key (customer_number, id),
  unique (customer_number, message_id),
  check ((state in ('sent', 'mailbox')) = (delivered_at is not null)),
  check ((deleted_at is null) = (deleted_by is null))
);
create index mail_history on mail (customer_number, queued_at, id) where deleted_at is null;
-- Home counts what needs attention.
create index mail_undelivered on mail (customer_number) where state = 'failed' and deleted_at is null;

create table mail_attachment (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  mail_id         text collate "C" not null,
  position        integer not null check (position >= 1),
  name            text not null check (name <> '' and name !~ '[[:cntrl:]/\\]'),
  media_type      text not null check (media_type ~ '^[a-z]+/[a-z0-9.+-]+$'),
  content         bytea not null,
  primary key (customer_number, mail_id, position),
  foreign key (customer_number, mail_id) references mail
);

-- When the latest mails of a kind left for an address, by the person whose act caused them. The row is locked while the
-- next mail is decided, so that the limit also holds under concurrency. It applies to the whole portal: a person is
-- limited across accounts.
create table mail_brake (
  person    text collate "C" not null,
  kind      text collate "C" not null,
  recipient text collate "C" not null,
  -- In order. The last one can be in the future: a mail that is held back until then.
  sent_at   timestamptz(3)[] not null,
  latest_at timestamptz(3) not null,
  primary key (person, kind, recipient)
);
create index mail_brake_by_latest on mail_brake (latest_at);

-- Service alerts, for every account alike. Resolving keeps them; nothing deletes them.
create table alert (
  id          uuid primary key default gen_random_uuid(),
  category    text not null check (category in ('OK', 'INFO', 'WARNING', 'CRITICAL')),
  status      text not null default 'ACTIVE' check (status in ('ACTIVE', 'RESOLVED')),
  starts_at   timestamptz not null,
  expires_at  timestamptz,
  description text not null check (description <> ''),
  services    text[] not null check (cardinality(services) > 0),
  links       jsonb not null default '[]',
  -- rises with every change, so that an editor never overwrites what they have not seen
  revision    integer not null default 1,
  created_by  text not null,
  created_at  timestamptz not null,
  changed_at  timestamptz not null,
  -- A planned maintenance that is called off is resolved before it starts, and expires then.
  constraint alert_expires_after_start check (status = 'RESOLVED' or expires_at > starts_at)
);
create index alert_active on alert (starts_at desc) where status = 'ACTIVE';
create index alert_by_start on alert (starts_at desc, id);

-- Answers to calls that carried an Idempotency-Key, for 24 hours.
create table idempotent_answer (
  email      text not null,
  key        text not null,
  operation  text not null,
  body_hash  bytea not null,
  answer     jsonb,
  created_at timestamptz not null,
  primary key (email, key)
);
create index idempotent_answer_by_age on idempotent_answer (created_at);

-- How often something that is edited as a whole was saved; never, if there is no row. Rows are not deleted: if a license server
-- is removed and added again, its count continues, so that no revision comes twice.
create table saved_revision (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  subject         text collate "C" not null,
  revision        integer not null,
  primary key (customer_number, subject)
);

-- The transactional outbox: messages are written in the transaction that causes them and delivered later, by kind
-- (lane). A message need not belong to an account. Delivered messages are deleted.
create table outbox_message (
  id              uuid primary key,
  lane            text not null check (lane ~ '^[a-z-]{1,50}$'),
  payload         jsonb not null,
  state           text not null default 'queued' check (state in ('queued', 'failed')),
  attempts        integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz,
  queued_at       timestamptz not null,
  -- when staff last sent it again after it had failed; delivery is then tried for as long as from the first time
  resent_at       timestamptz check (resent_at >= queued_at),
  -- what went wrong at the last attempt
  trouble         text not null default '',
  check ((state = 'queued') = (next_attempt_at is not null))
);
create index outbox_message_due on outbox_message (lane, next_attempt_at) where state = 'queued';
create index outbox_message_failed on outbox_message (queued_at, id) where state = 'failed';

-- after: accounts
-- Plans of what to renew. The lines are one document, with the prices of the day on which they were saved.
create table renewal_plan (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  plan_id         text collate "C" not null,
  name            text not null check (name <> ''),
  -- the days whose measured use counts
  measured_from   date not null,
  measured_to     date not null check (measured_to >= measured_from),
  -- the plan is about what ends in these days, both included; null: no limit on this side
  ends_from       date,
  ends_by         date,
  lines           jsonb not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  revision        integer not null default 1 check (revision > 0),
  primary key (customer_number, plan_id)
);

-- Backups and drills: what was run, and how it ended. A running one is seen every few seconds; one that is not seen any more
-- was interrupted.
create table recovery_run (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('backup', 'drill')),
  state           text not null default 'running' check (state in ('running', 'done', 'failed')),
  begun_by        text not null,
  machine         text not null,
  begun_at        timestamptz not null,
  seen_at         timestamptz not null default now(),
  ended_at        timestamptz,
  file            text,
  bytes           bigint,
  -- rows in the backup
  row_count       bigint,
  -- The instant of the backup, and the newest entry of its audit log.
  as_of           timestamptz,
  newest_entry_at timestamptz,
  -- milliseconds: the age of the backup when the drill began, and how long the restore and its checks took
  recovery_point  bigint,
  recovery_time   bigint,
  failure         text,
  -- what the checks found in the restored database
  findings        jsonb not null default '[]',
  check ((state = 'running') = (ended_at is null)),
  check ((state = 'failed') = (failure is not null))
);
create index recovery_run_by_begin on recovery_run (kind, begun_at);

-- after: accounts
-- What an account is reminded of by email. The settings are one document, checked when they are saved.
create table reminder_settings (
  customer_number text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  settings        jsonb not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null
);

-- Reminders that were sent: nothing is sent twice. A key names the entitlement, balance or budget and the threshold.
create table reminder_sent (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  key             text collate "C" not null,
  -- null if a tighter threshold was told instead
  told            text,
  sent_at         timestamptz(3) not null,
  primary key (customer_number, key)
);
create index reminder_sent_by_time on reminder_sent (customer_number, sent_at desc) where told is not null;

-- Secret addresses of the end dates of an account. Only a hash of the secret is kept.
create table calendar_feed (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              uuid not null,
  name            text not null check (name <> ''),
  secret_hash     bytea not null,
  created_by      text not null,
  created_at      timestamptz(3) not null,
  used_at         timestamptz(3),
  revoked_at      timestamptz(3),
  primary key (customer_number, id),
  unique (customer_number, secret_hash)
);

-- after: accounts, catalog
-- What people who may only look have asked for. Closed requests are kept.
create table license_request (
  customer_number  text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  request_id       text collate "C" not null,
  kind             text not null check (kind in ('web-license', 'seats', 'order')),
  state            text not null check (state in ('open', 'approved', 'declined', 'withdrawn', 'expired')),
  -- the activation id of a web license or of seats, or the part number to order
  item             text not null check (item <> ''),
  product          text not null,
  -- the email of a web user, the id of a license server, or the id of a contract
  target           text not null check (target <> ''),
  target_name      text not null,
  quantity         integer not null check (quantity > 0),
  reason           text not null,
  requested_by     text not null,
  requested_at     timestamptz(3) not null,
  expires_at       timestamptz(3) not null,
  decided_by       text,
  decided_at       timestamptz(3),
  decision         text,
  is_by_rule       boolean not null default false,
  granted_quantity integer check (granted_quantity > 0),
  -- what was given instead of the product that was asked for; null: the same
  granted_product  text,
  -- who or what got it instead of the target that was asked for; null: the same
  granted_target_name text,
  revision         integer not null default 1 check (revision > 0),
  primary key (customer_number, request_id),
  constraint license_request_decided check ((decided_at is null) = (state = 'open')),
  constraint license_request_granted check ((granted_quantity is not null) = (state = 'approved'))
);
create index license_request_by_time on license_request (customer_number, requested_at desc, request_id);
create index license_request_open on license_request (customer_number, expires_at) where state = 'open';
-- Nobody asks twice for the same while the first request is open.
create unique index license_request_once on license_request (customer_number, requested_by, kind, item, target)
  where state = 'open';
-- The own requests of web users, who see no account.
create index license_request_by_person on license_request (requested_by, requested_at desc);

-- Who may ask on an account, and what is approved without a decision. The rules are one document, checked when they are saved.
create table request_rules (
  customer_number text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  rules           jsonb not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null
);

-- after: data
-- Staff of the vendor, whose roles hold on every account. Every writer announces its changes (server/identity/access-changes.queries.ts).
create table staff_role (
  email      text not null check (email = lower(email collate "C")),
  role       text not null check (role in ('busops', 'support', 'sales', 'admin')),
  granted_by text not null,
  granted_at timestamptz not null default now(),
  changed_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (email, role)
);
create index staff_role_by_change on staff_role (changed_at, role collate "C", email collate "C");

create trigger staff_role_change_is_noted before update on staff_role for each row
  when ((old.email, old.role)
        is distinct from (new.email, new.role))
  execute function note_change();

-- after: accounts
-- Background tasks: requested by one person, made by a job, kept for some days (docs/decisions/0018-a-task-is-a-row-a-job-runs-it.md).
create table background_task (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              uuid not null default gen_random_uuid(),
  kind            text not null check (kind ~ '^[a-z-]{1,50}$'),
  requested_by    text not null check (requested_by = lower(requested_by collate "C")),
  request         jsonb not null,
  -- the request in one comparable form, so that an equal one finds the task again
  request_key     bytea,
  file_name       text not null,
  state           text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'expired')),
  failure         text check (failure in ('no-space', 'person-quota', 'account-quota', 'too-much', 'died', 'error')),
  -- counts the attempts: one that was taken for dead, and replaced, writes nothing more
  attempt         integer not null default 0,
  -- attempts whose process ended under them
  deaths          integer not null default 0,
  -- how much there was to do when it began, and how much has been done, in the unit of the kind
  total           integer,
  done            integer not null default 0,
  bytes           bigint not null default 0,
  -- Which state of the data the task was made from, in a form that its kind can compare. Exact to the microsecond, which
  -- an instant is not once it has been through JavaScript.
  as_of           text,
  requested_at    timestamptz not null,
  finished_at     timestamptz,
  kept_until      timestamptz,
  -- null while nobody has downloaded the file: it is waiting for its person
  downloaded_at   timestamptz,
  primary key (customer_number, id)
);
create index background_task_by_person on background_task (customer_number, requested_by, requested_at desc);
-- The list of a person's tasks on all accounts.
create index background_task_of_person on background_task (requested_by, requested_at desc);
create index background_task_by_age on background_task (kept_until) where state = 'ready';
-- What counts toward the quotas of a person, over all accounts.
create index background_task_kept_by_person on background_task (requested_by) where state in ('waiting', 'running', 'ready');

-- The files of tasks are kept here in pieces, so that every process of an installation, on any machine, can serve the
-- files of another one (docs/decisions/0102-files-of-tasks-in-the-database.md).
create table task_piece (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  task_id         uuid not null,
  -- which attempt of the task wrote it
  attempt         integer not null,
  -- from 0; all pieces but the last hold equally many bytes of the file
  number          integer not null,
  -- compressed (zstd)
  bytes           bytea not null,
  primary key (customer_number, task_id, attempt, number),
  foreign key (customer_number, task_id) references background_task on delete cascade
);
-- What is compressed already is not worth another try.
alter table task_piece alter column bytes set storage external;

-- The running processes of the portal. Each is seen every few seconds; the others delete a row that is not seen any more.
create table portal_process (
  id              uuid primary key,
  machine         text not null,
  pid             integer not null,
  version         text not null,
  state           text not null check (state in ('ready', 'draining')),
  started_at      timestamptz not null,
  seen_at         timestamptz not null default now(),
  -- the slowest statements that it has measured
  slow_statements jsonb not null default '[]'
);

-- after: activations
-- Web licenses: who may use them, seats and checkouts (docs/decisions/0062-seats-of-web-licenses.md).

-- People who use web licenses of an account, and groups of them.
create table web_user (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text collate "C" not null check (email = lower(email) and email <> ''),
  name            text collate "C" not null default '',
  added_at        timestamptz(3) not null,
  added_by        text not null,
  primary key (customer_number, email)
);
-- Staff search over all accounts by the beginning of any email address on an account.
create index web_user_by_address on web_user (email, customer_number);

create table web_group (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  group_id        text collate "C" not null default gen_random_uuid()::text,
  name            text collate "C" not null check (name <> ''),
  -- the name as it is compared: two names that differ in case only are the same
  name_key        text collate "C" not null,
  created_at      timestamptz(3) not null,
  created_by      text not null,
  primary key (customer_number, group_id),
  constraint web_group_name_is_unique unique (customer_number, name_key)
);

create table web_group_member (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  group_id        text collate "C" not null,
  email           text collate "C" not null,
  primary key (customer_number, group_id, email),
  foreign key (customer_number, group_id) references web_group on delete cascade,
  foreign key (customer_number, email) references web_user on delete cascade
);
create index web_group_member_by_user on web_group_member (customer_number, email);

-- What somebody assigned: an entitlement to a user, or to a group.
create table web_user_assignment (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  email           text collate "C" not null,
  assigned_at     timestamptz(3) not null,
  assigned_by     text not null,
  primary key (customer_number, activation_id, email),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, email) references web_user on delete cascade
);
create index web_user_assignment_by_user on web_user_assignment (customer_number, email);

create table web_group_assignment (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  group_id        text collate "C" not null,
  assigned_at     timestamptz(3) not null,
  assigned_by     text not null,
  primary key (customer_number, activation_id, group_id),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, group_id) references web_group on delete cascade
);
create index web_group_assignment_by_group on web_group_assignment (customer_number, group_id);

-- Derived from the assignments: who may use an entitlement, each user once, by name or through groups. On a Named User
-- entitlement every row is a seat.
create table web_seat (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  email           text collate "C" not null,
  since           timestamptz(3) not null,
  primary key (customer_number, activation_id, email),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, email) references web_user on delete cascade
);
create index web_seat_by_user on web_seat (customer_number, email);

-- Checkouts, those that run (they end at infinity) and those that are over.
create table web_checkout (
  customer_number   text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  checkout_number   bigint generated always as identity,
  checkout_id       text collate "C" not null,
  activation_id     text collate "C" not null,
  -- as the entitlement said when the checkout began
  product           text collate "C" not null,
  kind              text collate "C" not null check (kind in ('SUBSCRIPTION', 'CONCURRENT')),
  email             text collate "C" not null,
  host              text collate "C" not null,
  product_version   text collate "C" not null default '',
  external_ip       text collate "C",
  status            text collate "C" not null default 'Active'
                    check (status in ('Active', 'Completed', 'Timed out', 'Revoked')),
  started_at        timestamptz(3) not null,
  last_heartbeat_at timestamptz(3) not null,
  ends_at           timestamptz(3) not null default 'infinity',
  hours             numeric(12, 2) generated always as (
    case when isfinite(ends_at) then greatest(0.01, round(extract(epoch from ends_at - started_at) / 3600, 2)) end) stored,
  primary key (customer_number, checkout_number),
  unique (customer_number, checkout_id),
  foreign key (customer_number, activation_id) references entitlement,
  check (ends_at >= started_at),
  check (isfinite(ends_at) = (status <> 'Active'))
  -- No index on the heartbeat: it then changes nothing but the row itself.
) with (fillfactor = 80);
create index web_checkout_by_start on web_checkout (customer_number, started_at, checkout_number);
create index web_checkout_by_end on web_checkout (customer_number, ends_at, checkout_number);
create index web_checkout_by_user on web_checkout (customer_number, email, started_at);
create index web_checkout_running on web_checkout (customer_number, activation_id, email) where ends_at = 'infinity';

-- Checkouts that were denied, for the account to see.
create table web_denial (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              bigint generated always as identity,
  denied_at       timestamptz(3) not null,
  reason          text collate "C" not null,
  product         text collate "C" not null,
  email           text collate "C" not null,
  host            text collate "C" not null,
  product_version text collate "C" not null default '',
  external_ip     text collate "C",
  primary key (customer_number, id)
);
create index web_denial_by_time on web_denial (customer_number, denied_at, id);
-- Home of staff counts over all accounts.
create index web_denial_newest on web_denial (denied_at, customer_number);

-- How much of an entitlement is taken. Seats and checkouts update this row in their own transaction, so concurrent ones
-- wait, at every isolation level.
create table web_license_use (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  seats           integer not null default 0 check (seats >= 0),
  running         integer not null default 0 check (running >= 0),
  primary key (customer_number, activation_id),
  foreign key (customer_number, activation_id) references entitlement
) with (fillfactor = 50);

-- The quantity is locked before the count, as in the portal, to avoid deadlocks. An order that lowers the quantity
-- removes nobody, and nobody can be added.
create function count_web_seat() returns trigger language plpgsql as $$
declare
  taken     integer;
  allowed   integer;
  kind_sold text;
begin
  if tg_op = 'DELETE' then
    update web_license_use u set seats = u.seats - 1
     where u.customer_number = old.customer_number and u.activation_id = old.activation_id;
    return null;
  end if;
  select e.line_item_quantity, e.kind into allowed, kind_sold from entitlement e
   where e.customer_number = new.customer_number and e.activation_id = new.activation_id for share;
  insert into web_license_use as u (customer_number, activation_id, seats)
  values (new.customer_number, new.activation_id, 1)
  on conflict (customer_number, activation_id) do update set seats = u.seats + 1
  returning u.seats into taken;
  if kind_sold = 'CONCURRENT' then return null; end if;
  if kind_sold <> 'SUBSCRIPTION' or taken > allowed then
    raise exception 'no seat left on %', new.activation_id
      using errcode = 'check_violation', constraint = 'web_seats_within_quantity';
  end if;
  return null;
end $$;
create trigger web_seat_is_counted after insert or delete on web_seat for each row execute function count_web_seat();
create trigger web_seat_never_changes before update of customer_number, activation_id, email on web_seat
  for each statement execute function refuse_change();
create trigger web_seat_is_not_truncated before truncate on web_seat
  for each statement execute function refuse_change();

create function count_web_checkout() returns trigger language plpgsql as $$
declare
  taken   integer;
  allowed integer;
begin
  if tg_op = 'UPDATE' or tg_op = 'DELETE' then
    if old.ends_at < 'infinity' then return null; end if;
    update web_license_use u set running = u.running - 1
     where u.customer_number = old.customer_number and u.activation_id = old.activation_id;
    return null;
  end if;
  if new.ends_at < 'infinity' then return null; end if;
  select e.line_item_quantity into allowed from entitlement e
   where e.customer_number = new.customer_number and e.activation_id = new.activation_id for share;
  insert into web_license_use as u (customer_number, activation_id, running)
  values (new.customer_number, new.activation_id, 1)
  on conflict (customer_number, activation_id) do update set running = u.running + 1
  returning u.running into taken;
  if new.kind = 'SUBSCRIPTION' then return null; end if;
  if taken > allowed then
    raise exception 'no seat left on %', new.activation_id
      using errcode = 'check_violation', constraint = 'web_checkouts_within_quantity';
  end if;
  return null;
end $$;
create trigger web_checkout_is_counted after insert or update of ends_at or delete on web_checkout
  for each row execute function count_web_checkout();

-- A checkout that is over stays as it is.
create trigger web_checkout_ends_once before update on web_checkout
  for each row when (old.ends_at < 'infinity') execute function refuse_change();

-- Only the triggers of seats and checkouts may write the counts (for which this trigger runs at depth 2), never a
-- statement directly.
create function refuse_counting_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% follows seats and checkouts: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger web_license_use_follows before insert or update or delete on web_license_use
  for each row execute function refuse_counting_by_hand();
create trigger web_license_use_is_not_truncated before truncate on web_license_use
  for each statement execute function refuse_change();

-- after: accounts
-- Where the events of an account are sent.
create table webhook_endpoint (
  customer_number     text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id                  uuid not null,
  url                 text not null check (url <> ''),
  description         text not null default '',
  events              text[] not null,
  is_on               boolean not null default true,
  -- why nothing is sent
  off_reason          text,
  -- the first failure since the last success
  failing_since       timestamptz(3),
  -- sealed with a secret of the installation; for a day after a new one was made, the former one signs as well
  secret              bytea not null,
  former_secret       bytea,
  former_secret_until timestamptz(3),
  revision            integer not null default 1 check (revision > 0),
  created_by          text not null,
  created_at          timestamptz(3) not null,
  -- the process that delivers to this endpoint, until then; afterwards, when it was last served
  lease_id            uuid,
  lease_until         timestamptz(3),
  primary key (customer_number, id),
  unique (customer_number, url),
  constraint webhook_endpoint_off check (is_on = (off_reason is null)),
  constraint webhook_endpoint_former_secret check ((former_secret is null) = (former_secret_until is null))
);

-- Events, once for each endpoint that has chosen them, written with their cause. Deleted after 30 days.
create table webhook_delivery (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  endpoint_id     uuid not null,
  event_id        uuid not null,
  -- the order of an endpoint's events, in microseconds: events of one instant count up
  sequence        bigint not null,
  event           text not null,
  body            text not null,
  happened_at     timestamptz(3) not null,
  -- held: the endpoint is off, so it is sent only on request
  state           text not null check (state in ('queued', 'delivered', 'failed', 'held')),
  attempts        integer not null default 0 check (attempts >= 0),
  -- since it was last queued
  failures        integer not null default 0 check (failures >= 0),
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  status          integer,
  milliseconds    integer,
  trouble         text not null default '',
  -- the message in the outbox by which operators see that it has failed
  message_id      uuid,
  primary key (customer_number, endpoint_id, event_id),
  foreign key (customer_number, endpoint_id) references webhook_endpoint on delete cascade,
  constraint webhook_delivery_next check ((state = 'queued') = (next_attempt_at is not null))
);
create index webhook_delivery_queued on webhook_delivery (customer_number, endpoint_id, sequence, next_attempt_at)
  where state = 'queued';
create index webhook_delivery_by_time on webhook_delivery (customer_number, happened_at desc, event_id, endpoint_id);
create index webhook_delivery_age on webhook_delivery (happened_at);

create table webhook_attempt (
  customer_number  text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  endpoint_id      uuid not null,
  event_id         uuid not null,
  number           integer not null check (number > 0),
  started_at       timestamptz(3) not null,
  milliseconds     integer not null check (milliseconds >= 0),
  status           integer,
  trouble          text not null default '',
  request_headers  jsonb not null,
  response_headers jsonb not null,
  response_body    text not null default '',
  primary key (customer_number, endpoint_id, event_id, number),
  foreign key (customer_number, endpoint_id, event_id) references webhook_delivery on delete cascade
);
