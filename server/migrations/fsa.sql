-- after: entitlements
-- What a spending account (FSA contract) is worth and what was ordered from it. The contract and its orders are
-- entitlements; every change of them moves this row in its own transaction, and the check refuses what is more than the
-- contract holds. The sum is a row that is *updated*, not recomputed, so concurrent orders wait or get a serialization
-- failure at every isolation level.
create table fsa_contract (
  customer_number            text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  -- the entitlement id of the contract, by which its orders name it
  fsa_id                     text collate "C" not null,
  activation_id              text collate "C" not null,
  currency                   text not null,
  price                      numeric(14, 2) not null check (price >= 0),
  ordered                    numeric(14, 2) not null default 0,
  -- who is told of orders
  business_operations_emails text[] not null default '{}',
  primary key (customer_number, fsa_id),
  unique (customer_number, activation_id),
  foreign key (customer_number, activation_id) references entitlement on delete cascade,
  constraint ordered_within_price check (ordered between 0 and price)
);

create function draw_on_contract(customer text, contract text, in_currency text, amount numeric) returns void
  language plpgsql as $$
begin
  if amount = 0 then return; end if;
  update fsa_contract c set ordered = c.ordered + amount
   where c.customer_number = customer and c.fsa_id = contract and c.currency = in_currency;
  if not found then
    raise exception 'customer % has no FSA contract % in %', customer, contract, in_currency
      using errcode = 'foreign_key_violation';
  end if;
end $$;

create function keep_fsa_contract() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.kind = 'FSA' then
    insert into fsa_contract as c (customer_number, fsa_id, activation_id, currency, price)
    values (new.customer_number, new.entitlement_id, new.activation_id, new.currency, coalesce(new.price, 0))
    on conflict (customer_number, activation_id)
      do update set fsa_id = excluded.fsa_id, currency = excluded.currency, price = excluded.price;
    -- Drafts follow the contract; their reference to it is checked at the end of the transaction.
    if tg_op = 'UPDATE' and old.entitlement_id <> new.entitlement_id then
      update fsa_draft d set fsa_id = new.entitlement_id
       where d.customer_number = new.customer_number and d.fsa_id = old.entitlement_id;
    end if;
  end if;
  if tg_op <> 'INSERT' and old.subtype = 'FSA' and old.fsa_id is not null and old.state = 'Deployed' then
    perform draw_on_contract(old.customer_number, old.fsa_id, old.currency, -coalesce(old.price, 0));
  end if;
  if tg_op <> 'DELETE' and new.subtype = 'FSA' and new.fsa_id is not null and new.state = 'Deployed' then
    perform draw_on_contract(new.customer_number, new.fsa_id, new.currency, coalesce(new.price, 0));
  end if;
  return null;
end $$;
create trigger fsa_contract_follows_new after insert on entitlement
  for each row when (new.subtype = 'FSA') execute function keep_fsa_contract();
create trigger fsa_contract_follows_changed
  after update of entitlement_id, license_model, subtype, state, currency, price, fsa_id on entitlement
  for each row when (old.subtype = 'FSA' or new.subtype = 'FSA') execute function keep_fsa_contract();
create trigger fsa_contract_follows_deleted after delete on entitlement
  for each row when (old.subtype = 'FSA') execute function keep_fsa_contract();

-- Only the triggers of entitlements may write the balance (for which this trigger runs at depth 2), never a statement
-- directly.
create function refuse_direct_balance() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'the balance of an FSA contract follows its entitlements: % refused', tg_op
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger balance_follows_entitlements before insert or update of fsa_id, currency, price, ordered on fsa_contract
  for each row execute function refuse_direct_balance();

-- Orders that somebody prepared and nobody has placed yet. The lines are kept as the order call takes them.
create table fsa_draft (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  draft_id        text collate "C" not null default gen_random_uuid()::text,
  fsa_id          text collate "C" not null,
  name            text not null,
  lines           jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- counts the saves, so that nobody overwrites or orders what they have not seen
  revision        integer not null default 1,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, draft_id),
  foreign key (customer_number, fsa_id) references fsa_contract on delete cascade deferrable initially deferred
);
