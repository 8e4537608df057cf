-- after: accounts, web-licenses
-- People and groups as the identity provider of an account reports them by SCIM (docs/decisions/0240-scim.md).

create table scim_user (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  user_id         text collate "C" not null default gen_random_uuid()::text,
  user_name       text collate "C" not null check (user_name <> ''),
  -- the user name as it is compared: without case
  user_name_key   text collate "C" not null,
  external_id     text collate "C",
  display_name    text collate "C",
  -- the address by which the portal knows the person; null: the provider sends none that can be used
  email           text collate "C" check (email = lower(email) and email <> ''),
  is_active       boolean not null,
  -- of the enterprise extension: dimensions of chargeback, reports and limits
  department      text collate "C",
  cost_center     text collate "C",
  -- what else is kept: name, emails, title and the rest of the enterprise extension
  attributes      jsonb not null,
  created_at      timestamptz(3) not null,
  changed_at      timestamptz(3) not null,
  revision        integer not null default 1 check (revision > 0),
  primary key (customer_number, user_id),
  constraint scim_user_name_is_unique unique (customer_number, user_name_key)
);
create index scim_user_by_email on scim_user (customer_number, email);
create index scim_user_by_external_id on scim_user (customer_number, external_id);
create index scim_user_by_time on scim_user (customer_number, created_at, user_id);

create table scim_group (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  group_id        text collate "C" not null default gen_random_uuid()::text,
  display_name    text collate "C" not null check (display_name <> ''),
  external_id     text collate "C",
  created_at      timestamptz(3) not null,
  changed_at      timestamptz(3) not null,
  revision        integer not null default 1 check (revision > 0),
  primary key (customer_number, group_id)
);
create index scim_group_by_time on scim_group (customer_number, created_at, group_id);

-- Row by row: a provider adds and removes single members, and nothing reads a whole group to write it back.
create table scim_member (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  group_id        text collate "C" not null,
  user_id         text collate "C" not null,
  primary key (customer_number, group_id, user_id),
  foreign key (customer_number, group_id) references scim_group on delete cascade,
  foreign key (customer_number, user_id) references scim_user on delete cascade
);
create index scim_member_by_user on scim_member (customer_number, user_id);

-- What the members of a group get. A group without a row gives nothing.
create table scim_mapping (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  group_id        text collate "C" not null,
  role            text check (role in ('Licensing Portal Administrator', 'Licensing Portal Viewer')),
  web_group_id    text collate "C",
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, group_id),
  foreign key (customer_number, group_id) references scim_group on delete cascade,
  foreign key (customer_number, web_group_id) references web_group on delete cascade,
  constraint scim_mapping_gives_one_thing check (num_nonnulls(role, web_group_id) = 1)
);
create index scim_mapping_by_web_group on scim_mapping (customer_number, web_group_id);

-- What groups have given to people, so that exactly this is taken back. A role or membership from elsewhere is not here.
create table scim_given (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text collate "C" not null,
  kind            text not null check (kind in ('role', 'web-group')),
  -- the role, or the id of the web group
  target          text collate "C" not null,
  given_at        timestamptz(3) not null,
  primary key (customer_number, email, kind, target)
);

-- The last calls of an account, without secrets.
create table scim_call (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  call_number     bigint generated always as identity,
  called_at       timestamptz(3) not null,
  token_id        text not null,
  token_name      text not null,
  method          text not null,
  -- below /scim/v2/{customerNumber}, with the query
  path            text not null,
  status          integer not null,
  milliseconds    integer not null,
  request_body    text,
  answer_body     text,
  -- the request is longer than what is kept of it, so it cannot be sent again
  is_cut          boolean not null,
  -- the number of the call that this one repeated
  replay_of       bigint,
  primary key (customer_number, call_number)
);
