-- Who is calling: people and their sessions, and service keys. Email addresses are kept in lower case: that is what people are
-- matched by. People are told apart by every letter of their address but for the case of ASCII letters
-- (domain/settings/email-address.ts): in the locale of the database, lower() also makes a "k" of the Kelvin sign; in "C" it folds
-- ASCII letters only.
-- Every process caches sessions, roles, standings and service keys. Every writer announces its changes
-- (server/identity/access-changes.queries.ts, docs/decisions/0003-one-query-before-every-call.md).
create table person (
  email           text primary key check (email = lower(email collate "C")),
  first_name      text not null default '',
  last_name       text not null default '',
  last_sign_in_at timestamptz
);

-- The browser holds a random id, the table only its SHA-256, so that a copy of the table opens nothing.
create table session (
  id_hash                  bytea primary key,
  email                    text not null check (email = lower(email collate "C")),
  -- staff roles that the identity provider confirmed at sign-in, in addition to those of staff_role
  claim_roles              text[] not null default '{}',
  -- null: the provider gave no refresh token, so the roles last as long as the session
  claim_roles_checked_at   timestamptz,
  -- set while a process asks for the roles: no other one does
  claim_roles_asking_until timestamptz,
  -- set when asking failed
  claim_roles_ask_again_at timestamptz,
  -- when the provider last asked the person for a password or the like (auth_time); null if it did not say
  authenticated_at         timestamptz,
  -- the contact whose portal a member of staff looks at, read-only
  viewing_as               text check (viewing_as = lower(viewing_as collate "C")),
  -- the account on which they began to, whose audit log says so
  viewing_on               text,
  -- the account through whose own provider they signed in: there are no other accounts, and no staff roles, for them
  account_provider         text collate "C",
  created_at               timestamptz not null,
  last_seen_at             timestamptz not null,
  expires_at               timestamptz not null
);
create index session_by_email on session (email);
create index session_by_expiry on session (expires_at);

-- What the identity provider handed over for a session, each encrypted: its ID token, which it wants to see again at
-- sign-out, and its refresh token, with which the roles of the person are asked for again.
create table session_token (
  id_hash       bytea primary key references session (id_hash) on delete cascade,
  subject       text not null,
  id_token      bytea not null,
  refresh_token bytea
);

-- A sign-in that has left for the identity provider; used once and then gone.
create table sign_in_attempt (
  id_hash    bytea primary key,
  state      text not null,
  nonce      text not null,
  verifier   text not null,
  return_to  text not null,
  -- in seconds: how long ago the provider may have asked the person; null if that does not matter
  max_age    integer,
  -- the account whose own provider it goes to; null: that of the installation
  account_provider text collate "C",
  -- whom the provider is to ask
  login_hint text,
  -- a test: who began it, and the version of the settings
  tested_by  text,
  tested_version integer,
  expires_at timestamptz not null
);

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

-- Keys of the vendor's own systems. The key itself is shown once, when it is made; the table has only the SHA-256 of its
-- secret, which is enough because the secret is random and long.
create table service_key (
  id           text collate "C" primary key check (id ~ '^[a-z0-9]{12}$'),
  name         text not null check (name <> '' and length(name) <= 100),
  scopes       text[] not null check (cardinality(scopes) > 0),
  secret_hash  bytea not null,
  created_at   timestamptz not null,
  created_by   text not null,
  expires_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  check (expires_at > created_at)
);
-- A name identifies the key that is in use; a revoked one leaves its name free.
create unique index service_key_by_name on service_key (name) where revoked_at is null;

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
