-- Who is calling: people and their sessions, and service keys. Email addresses are kept in lower case: that is what people are
-- matched by. People are told apart by every letter of their address but for the case of ASCII letters
-- (domain/settings/email-address.ts): in the locale of the database, lower() also makes a "k" of the Kelvin sign; in "C" it folds
-- ASCII letters only.
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
  expires_at timestamptz not null
);

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

-- Every process caches sessions, roles, standings and service keys
-- (docs/decisions/0003-one-query-before-every-call.md). What changes them is announced, so that they are forgotten: of
-- these tables and of staff_role by the database, of customers' tables by the writers, because a trigger on a shard
-- cannot notify. A notification is delivered when its transaction commits, and equal ones of a transaction are
-- delivered once.

-- Recording that a session was used happens every minute and changes nothing.
create function announce_session_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'session ' || encode(old.id_hash, 'hex'));
  return null;
end $$;
create trigger changed_session_is_announced after update on session for each row
  when ((old.email, old.claim_roles, old.claim_roles_checked_at, old.expires_at)
        is distinct from (new.email, new.claim_roles, new.claim_roles_checked_at, new.expires_at))
  execute function announce_session_change();

-- A session that ends takes its open streams with it, in every process.
create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'session ' || encode(old.id_hash, 'hex'));
  perform pg_notify('session_end', encode(old.id_hash, 'hex'));
  return null;
end $$;
create trigger session_end_is_announced after delete on session
  for each row execute function announce_session_end();

-- The last use of a key is saved every minute and changes nothing.
create function announce_service_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'key ' || old.id);
  return null;
end $$;
create trigger changed_service_key_is_announced after update on service_key for each row
  when ((old.id, old.name, old.scopes, old.secret_hash, old.expires_at, old.revoked_at)
        is distinct from (new.id, new.name, new.scopes, new.secret_hash, new.expires_at, new.revoked_at))
  execute function announce_service_key_change();
create trigger gone_service_key_is_announced after delete on service_key
  for each row execute function announce_service_key_change();
