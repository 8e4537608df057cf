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
