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
