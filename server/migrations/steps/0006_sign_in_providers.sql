-- Sign-in providers of accounts. Sessions and attempts of before belong to the provider of the installation.
alter table session add column account_provider text collate "C";
alter table sign_in_attempt add column account_provider text collate "C";
alter table sign_in_attempt add column login_hint text;
alter table sign_in_attempt add column tested_by text;
alter table sign_in_attempt add column tested_version integer;

-- The domains that accounts have proven, by which a sign-in finds the provider of its account. Read before the account is known, and with
-- every session, so it is not distributed by customer. It follows from the tables of sign-in-providers, which write it.
create table proven_domain (
  domain          text collate "C" primary key,
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  -- its people are led to the provider of the account
  is_on           boolean not null,
  -- for the account, they have to use it
  is_enforced     boolean not null,
  -- who has not
  break_glass     text check (break_glass = lower(break_glass collate "C")),
  constraint proven_domain_enforced check (is_on or not is_enforced)
);
create index proven_domain_by_account on proven_domain (customer_number);

-- The sign-in provider of an account. Secrets are sealed with a secret of the installation.
create table sign_in_provider (
  customer_number  text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  issuer           text not null check (issuer <> ''),
  client_id        text not null check (client_id <> ''),
  client_auth      text not null check (client_auth in ('client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  client_secret    bytea,
  private_key      bytea,
  -- the key set that belongs to it, in JSON
  public_key       text,
  group_claim      text not null default '',
  rules            jsonb not null default '[]',
  mode             text not null default 'off' check (mode in ('off', 'optional', 'enforced')),
  break_glass      text check (break_glass = lower(break_glass collate "C")),
  -- counts every save
  revision         integer not null default 1 check (revision > 0),
  -- counts the saves after which the sign-in has to be tested again
  version          integer not null default 1 check (version > 0),
  -- the version of the last test that succeeded
  tested_version   integer,
  -- the last test
  test             jsonb,
  constraint sign_in_provider_secret check (case client_auth when 'private_key_jwt' then private_key is not null else client_secret is not null end),
  constraint sign_in_provider_key check ((private_key is null) = (public_key is null)),
  constraint sign_in_provider_mode check (mode = 'off' or tested_version is not null),
  constraint sign_in_provider_enforced check (mode <> 'enforced' or break_glass is not null)
);

-- The domains that an account says are its own, proven by a TXT record with the token.
create table sign_in_domain (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  domain          text collate "C" not null,
  token           text not null check (token <> ''),
  added_by        text not null,
  added_at        timestamptz(3) not null,
  -- the first check that found the record
  proven_at       timestamptz(3),
  checked_at      timestamptz(3),
  outcome         text check (outcome in ('found', 'missing', 'unanswered')),
  failures        integer not null default 0 check (failures >= 0),
  -- the first failed check since the last good one
  failing_since   timestamptz(3),
  primary key (customer_number, domain),
  constraint sign_in_domain_failing check ((failing_since is null) = (failures = 0))
);
create index sign_in_domain_due on sign_in_domain (checked_at) where proven_at is not null;

-- What people got from the groups of their directory, so that it can be taken away with them. What people of the account have given is not here.
create table sign_in_given (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text not null check (email = lower(email collate "C")),
  role            text,
  web_group_ids   uuid[] not null default '{}',
  given_at        timestamptz(3) not null,
  primary key (customer_number, email)
);
