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

-- Which kind of caller acted: a person with a session, a service key, or an operator on the command line; null where
-- nobody was known. Until now only operators were no people.
alter table audit_log add column principal text default 'session'
  check (principal in ('session', 'service key', 'operator'));
alter table audit_log alter column principal drop default;
alter table audit_log disable trigger audit_log_is_append_only;
update audit_log set principal = 'operator' where email = 'operator';
alter table audit_log enable trigger audit_log_is_append_only;
