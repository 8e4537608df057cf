-- after: installation
-- The audit log. Rows are added and never changed. The oldest are removed only by the owner's function that applies the retention.
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
  -- The act in words.
  text            text not null,
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

-- After how many days entries are removed; no row keeps everything. Only the owner of the tables writes it.
create table audit_retention (
  is_only boolean primary key default true check (is_only),
  days    integer not null check (days > 0)
);

-- Where a chain can begin anew: the newest checkpoint up to which every row is older. Null if there is no row to remove.
create function removable_audit_end(customer text, older_than timestamptz) returns bigint language plpgsql stable as $$
begin
  return (
    select max(c.sequence) from audit_checkpoint c
     where c.customer_number = customer
       and c.sequence >= (select min(s.sequence) from audit_seal s where s.customer_number = customer)
       and c.sequence < coalesce((
             select min(s.sequence) from audit_seal s join audit_log l on l.customer_number = customer and l.id = s.audit_id
              where s.customer_number = customer and l.at >= older_than),
             (select h.sequence + 1 from audit_head h where h.customer_number = customer)));
end $$;

-- Removes the beginning of a chain that is older than the retention, and answers up to where and how many rows. Runs as the owner of
-- the tables: the portal's role may not delete there, and cannot change the retention.
create function remove_old_audit_rows(customer text, out up_to bigint, out removed bigint) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  up_to := (select removable_audit_end(customer, now() - make_interval(days => r.days)) from audit_retention r);
  removed := 0;
  if up_to is null then
    return;
  end if;
  -- On shards the nodes get settings only if they are told to; elsewhere this is an unknown name, which does no harm.
  set local citus.propagate_set_commands = 'local';
  set local portal.audit_retention = 'on';
  delete from audit_log l using audit_seal s
   where s.customer_number = customer and s.sequence <= up_to and l.customer_number = customer and l.id = s.audit_id;
  delete from audit_seal s where s.customer_number = customer and s.sequence <= up_to;
  get diagnostics removed = row_count;
  set local portal.audit_retention = 'off';
end $$;
