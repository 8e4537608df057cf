-- The audit log. Rows are added and never changed.
create table audit_log (
  id              bigint generated always as identity,
  at              timestamptz not null,
  email           text not null,
  address         text not null,
  request_id      text not null,
  -- which kind of caller acted: a person, a service key, a token of a customer, or an operator on the command line;
  -- null where nobody was known
  principal       text check (principal in ('session', 'service key', 'operator', 'token')),
  action          text not null,
  -- The number that the caller gave: a refusal may name an account that does not exist. Empty for acts without an
  -- account, because a row without a customer number would belong to no shard.
  customer_number text collate "C" not null default '',
  target          text,
  before          jsonb,
  after           jsonb,
  outcome         text not null check (outcome in ('done', 'refused')),
  reason          text,
  primary key (customer_number, id)
);
create index audit_log_by_account on audit_log (customer_number, at desc);
create index audit_log_by_person on audit_log (email, at desc);
-- The timeline of a host reads what was done to it.
create index audit_log_by_target on audit_log (customer_number, target, at desc) where target is not null;

create trigger audit_log_is_append_only before update or delete on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_is_not_truncated before truncate on audit_log
  for each statement execute function refuse_change();
