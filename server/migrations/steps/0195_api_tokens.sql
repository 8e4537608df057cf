-- Tokens of customers, and tokens as authors of audit entries.

-- Tokens of customers: programs call the API with the rights that the owner has now, within the scopes. Only a hash is
-- kept. A token is found by its hash, before its customer is known, so the table is not distributed by customer.
create table api_token (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  id              uuid not null,
  secret_hash     bytea not null unique check (length(secret_hash) = 32),
  name            text not null check (name <> '' and length(name) <= 100),
  owner           text not null,
  scopes          text[] not null check (cardinality(scopes) > 0),
  -- networks that it may be used from; everywhere if there are none
  addresses       text[] not null,
  created_at      timestamptz(3) not null,
  expires_at      timestamptz(3) not null check (expires_at <= created_at + interval '366 days 1 hour'),
  last_used_at    timestamptz(3),
  last_address    text,
  revoked_at      timestamptz(3),
  -- the token that was made instead; this one ends with the overlap
  replaced_by     uuid,
  -- the last warning of its end that was mailed to the owner, in days before it
  warned_days     smallint,
  primary key (customer_number, id)
);
create index api_token_by_end on api_token (expires_at) where revoked_at is null;

-- What an account allows its tokens; without a row, everything.
create table api_token_policy (
  customer_number  text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  longest_days     smallint not null check (longest_days between 1 and 366),
  is_write_allowed boolean not null
);

alter table audit_log drop constraint audit_log_principal_check;
alter table audit_log add constraint audit_log_principal_check
  check (principal in ('session', 'service key', 'operator', 'token'));
