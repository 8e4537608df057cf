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
