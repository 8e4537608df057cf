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
  -- null: not recorded
  added_by        text,
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
