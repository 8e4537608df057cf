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

-- How often something that is edited as a whole was saved; never, if there is no row. Rows are not deleted: if a license server
-- is removed and added again, its count continues, so that no revision comes twice.
create table saved_revision (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  subject         text collate "C" not null,
  revision        integer not null,
  primary key (customer_number, subject)
);
