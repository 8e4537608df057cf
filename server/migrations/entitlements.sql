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
