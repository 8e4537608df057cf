-- People and accounts. E-mail addresses are kept in lower case: that is what people are matched by.
create extension if not exists pg_trgm;

-- Compared and ordered by code points on every server alike, so that lists can walk its indexes.
create domain customer_number as text collate "C" check (value ~ '^[A-Za-z0-9-]{1,20}$');

create table account (
  customer_number       customer_number primary key,
  name                  text collate "C" not null check (name <> ''),
  org_type              text not null default 'Undefined' check (org_type in ('Undefined', 'Direct', 'Channel', 'Indirect')),
  export_control_status text not null default '',
  is_access_disabled    boolean not null default false,
  support_email         text not null default '',
  time_zone             text not null default 'UTC',
  created_at            timestamptz not null default now()
);

-- "Contains" on name or number, over any number of accounts; the expressions are those of the list engine.
create index account_name_search on account using gin (lower(name collate "C") gin_trgm_ops);
create index account_number_search on account using gin (lower(customer_number collate "C") gin_trgm_ops);
create index account_by_name on account (name, customer_number);

create table person (
  email           text primary key check (email = lower(email)),
  first_name      text not null default '',
  last_name       text not null default '',
  last_sign_in_at timestamptz
);

create table staff_role (
  email      text not null check (email = lower(email)),
  role       text not null check (role in ('busops', 'support', 'sales', 'admin')),
  granted_by text not null,
  granted_at timestamptz not null default now(),
  primary key (email, role)
);

-- A contact may be named before the person has ever signed in, hence no reference to person.
create table contact (
  customer_number customer_number not null references account,
  email           text not null check (email = lower(email)),
  role            text not null check (role in ('Licensing Portal Administrator', 'Licensing Portal Viewer', 'Ansys Support Coordinator (Administrator)')),
  added_at        timestamptz not null default now(),
  primary key (customer_number, email)
);
create index contact_by_email on contact (email, customer_number);

-- Rights that business operations give to one person on one account.
create table account_grant (
  customer_number customer_number not null references account,
  email           text not null check (email = lower(email)),
  kind            text not null check (kind in ('sales-access', 'fnp-license-generator')),
  granted_by      text not null,
  granted_at      timestamptz not null default now(),
  primary key (customer_number, email, kind)
);
create index account_grant_by_email on account_grant (email, customer_number);
