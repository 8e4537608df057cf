-- What an account has bought. One row is one activation id; FSA contracts and their orders are rows here as well.
create table entitlement (
  customer_number    customer_number not null references account,
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
  -- seats on hosts: the ledger's sum, kept by the ledger's trigger and by nothing else
  activated_count    integer not null default 0,
  units_per_line     numeric(14, 2) not null default 1 check (units_per_line >= 0),
  start_date         date not null,
  end_date           date,
  -- the same for comparing and ordering: what is permanent ends after every day
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
  -- What it is to the portal: the menu and every entitlement screen ask for one of these.
  kind               text generated always as (
    case
      when license_model = 'Elastic-AEU' then 'ELASTIC'
      when subtype = 'FSA' and fsa_id is null then 'FSA'
      when license_model in ('Shared Web', 'ConcurrentProduct') then 'CONCURRENT'
      when license_model = 'Named User' then 'SUBSCRIPTION'
      else 'SSL'
    end) stored,
  primary key (customer_number, activation_id),
  check (is_permanent = (end_date is null)),
  check (end_date >= start_date),
  constraint activated_within_quantity check (activated_count between 0 and line_item_quantity)
);
create unique index entitlement_by_activation on entitlement (activation_id);
create index entitlement_by_kind on entitlement (customer_number, kind, state);
create index entitlement_by_end on entitlement (customer_number, ends_on, activation_id) where state = 'Deployed';
