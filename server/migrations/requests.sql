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
