-- Lines for seats of license servers. Accounts that have saved their settings of license use get the defaults of the lines.
alter table license_use_settings add column offer_minutes integer not null default 10;
alter table license_use_settings add column ask_hours integer not null default 8;

-- The lines for seats: who waits for which feature. Rows of people who have left a line are kept for some days.
create table license_wait (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  wait_id         text collate "C" not null,
  feature         text collate "C" not null,
  -- null: a seat of any license server will do
  host_id         text collate "C",
  seats           integer not null check (seats > 0),
  -- whom to tell
  email           text not null,
  is_mailed       boolean not null,
  -- who checks the seat out, as the license server names them
  user_name       text collate "C" not null check (user_name <> ''),
  priority        text not null default 'normal' check (priority in ('high', 'normal', 'low')),
  -- the order of arrival within the feature
  number          bigint not null,
  joined_at       timestamptz(3) not null,
  until           timestamptz(3) not null,
  state           text not null check (state in ('waiting', 'offered', 'checked-out', 'missed', 'expired', 'withdrawn', 'no-access')),
  -- the fewest seats that the user held since, by license server
  held_before     jsonb not null default '{}',
  offered_host    text collate "C",
  offered_at      timestamptz(3),
  offer_ends_at   timestamptz(3),
  closed_at       timestamptz(3),
  primary key (customer_number, wait_id),
  constraint license_wait_has_place unique (customer_number, feature, number),
  constraint license_wait_closed check ((closed_at is null) = (state in ('waiting', 'offered'))),
  constraint license_wait_offer check ((offered_at is null) = (offered_host is null) and (offered_at is null) = (offer_ends_at is null)
    and (state <> 'offered' or offered_at is not null) and (state <> 'waiting' or offered_at is null))
);
-- A user is in the line of a feature once: two places could not be told apart when a seat is checked out.
create unique index license_wait_once on license_wait (customer_number, feature, lower(user_name)) where closed_at is null;
create index license_wait_open on license_wait (customer_number, email) where closed_at is null;
create index license_wait_by_end on license_wait (customer_number, closed_at) where closed_at is not null;

-- Holders who were asked for a seat: at most one email for each of them and day of the account.
create table license_holder_ask (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  -- in lower case
  user_name       text collate "C" not null,
  asked_on        date not null,
  asked_by        text not null,
  primary key (customer_number, user_name, asked_on)
);
