-- Sessions: the browser holds a random id, the table only its SHA-256, so that a copy of the table opens nothing.
create table session (
  id_hash      bytea primary key,
  email        text not null check (email = lower(email)),
  -- staff roles that the identity provider vouched for at sign-in, beside those of staff_role
  claim_roles  text[] not null default '{}',
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null
);
create index session_by_email on session (email);
create index session_by_expiry on session (expires_at);

-- A sign-in that has left for the identity provider; used once and then gone.
create table sign_in_attempt (
  id_hash    bytea primary key,
  state      text not null,
  nonce      text not null,
  verifier   text not null,
  return_to  text not null,
  expires_at timestamptz not null
);

create table audit_log (
  id              bigint generated always as identity primary key,
  at              timestamptz not null,
  email           text not null,
  address         text not null,
  request_id      text not null,
  action          text not null,
  -- as the caller gave it: a refusal may name an account that does not exist
  customer_number text collate "C",
  target          text,
  before          jsonb,
  after           jsonb,
  outcome         text not null check (outcome in ('done', 'refused')),
  reason          text
);
create index audit_log_by_account on audit_log (customer_number, at desc);
create index audit_log_by_person on audit_log (email, at desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Answers to calls that carried an Idempotency-Key, for 24 hours.
create table idempotent_answer (
  email      text not null,
  key        text not null,
  operation  text not null,
  body_hash  bytea not null,
  answer     jsonb,
  created_at timestamptz not null,
  primary key (email, key)
);
create index idempotent_answer_by_age on idempotent_answer (created_at);

-- Secrets that all processes of one installation share (list tokens …), made on first use.
create table installation_secret (
  name   text primary key,
  secret bytea not null
);
