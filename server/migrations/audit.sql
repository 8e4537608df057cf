-- The audit log. Rows are added and never changed. The oldest are removed only by the owner's command that applies the retention.
create function refuse_audit_removal() returns trigger language plpgsql as $$
begin
  if current_setting('portal.audit_retention', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

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
  -- What the caller says that it is (User-Agent), shortened.
  program         text,
  -- The name and id of the token or service key that acted; null for everybody else.
  credential      text,
  -- The act in words. Null in rows of earlier versions: the sealer finds the words for them.
  text            text,
  primary key (customer_number, id)
);
create index audit_log_by_account on audit_log (customer_number, at desc);
-- The timeline of a host reads what was done to it.
create index audit_log_by_target on audit_log (customer_number, target, at desc) where target is not null;

create trigger audit_log_is_append_only before update on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_is_not_removed before delete on audit_log
  for each statement execute function refuse_audit_removal();
create trigger audit_log_is_not_truncated before truncate on audit_log
  for each statement execute function refuse_change();

-- Rows of the log that wait for the sealer. The writer adds them in its own transaction (docs/decisions/0190-sealed-audit-log.md).
create table audit_pending (
  customer_number text collate "C" not null,
  audit_id        bigint not null,
  primary key (customer_number, audit_id)
);

-- The end of each account's chain: whoever seals rows of the account locks it.
create table audit_head (
  customer_number text collate "C" primary key,
  sequence        bigint not null default 0 check (sequence >= 0),
  hash            bytea not null check (length(hash) = 32)
);

-- The chain of each account: which row of the log comes next, the hash of what it says, and of the one before.
create table audit_seal (
  customer_number text collate "C" not null,
  sequence        bigint not null check (sequence > 0),
  audit_id        bigint not null,
  previous_hash   bytea not null check (length(previous_hash) = 32),
  hash            bytea not null check (length(hash) = 32),
  -- The act in words, if the row of the log has none.
  text            text,
  -- What the hash covers: 1 without the credential, 2 with it.
  form            smallint not null default 1,
  primary key (customer_number, sequence),
  unique (customer_number, audit_id),
  unique (customer_number, previous_hash)
);
create trigger audit_seal_is_append_only before update on audit_seal
  for each statement execute function refuse_change();
create trigger audit_seal_is_not_removed before delete on audit_seal
  for each statement execute function refuse_audit_removal();
create trigger audit_seal_is_not_truncated before truncate on audit_seal
  for each statement execute function refuse_change();

-- Signed ends of chains, one per account and day at least. They stay when the rows before them are removed.
create table audit_checkpoint (
  customer_number text collate "C" not null,
  sequence        bigint not null check (sequence > 0),
  day             date not null,
  made_at         timestamptz not null,
  hash            bytea not null check (length(hash) = 32),
  key_id          text not null,
  public_key      bytea not null,
  signature       bytea not null,
  primary key (customer_number, sequence)
);
create trigger audit_checkpoint_is_append_only before update or delete on audit_checkpoint
  for each statement execute function refuse_change();
create trigger audit_checkpoint_is_not_truncated before truncate on audit_checkpoint
  for each statement execute function refuse_change();
