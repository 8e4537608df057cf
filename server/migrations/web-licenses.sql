-- after: activations
-- Web licenses: who may use them, seats and checkouts (docs/decisions/0062-seats-of-web-licenses.md).

-- People who use web licenses of an account, and groups of them.
create table web_user (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text collate "C" not null check (email = lower(email) and email <> ''),
  name            text collate "C" not null default '',
  added_at        timestamptz(3) not null,
  added_by        text not null,
  primary key (customer_number, email)
);
-- Staff search over all accounts by the beginning of any email address on an account.
create index web_user_by_address on web_user (email, customer_number);

create table web_group (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  group_id        text collate "C" not null default gen_random_uuid()::text,
  name            text collate "C" not null check (name <> ''),
  -- the name as it is compared: two names that differ in case only are the same
  name_key        text collate "C" not null,
  created_at      timestamptz(3) not null,
  created_by      text not null,
  primary key (customer_number, group_id),
  constraint web_group_name_is_unique unique (customer_number, name_key)
);

create table web_group_member (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  group_id        text collate "C" not null,
  email           text collate "C" not null,
  primary key (customer_number, group_id, email),
  foreign key (customer_number, group_id) references web_group on delete cascade,
  foreign key (customer_number, email) references web_user on delete cascade
);
create index web_group_member_by_user on web_group_member (customer_number, email);

-- What somebody assigned: an entitlement to a user, or to a group.
create table web_user_assignment (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  email           text collate "C" not null,
  assigned_at     timestamptz(3) not null,
  assigned_by     text not null,
  primary key (customer_number, activation_id, email),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, email) references web_user on delete cascade
);
create index web_user_assignment_by_user on web_user_assignment (customer_number, email);

create table web_group_assignment (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  group_id        text collate "C" not null,
  assigned_at     timestamptz(3) not null,
  assigned_by     text not null,
  primary key (customer_number, activation_id, group_id),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, group_id) references web_group on delete cascade
);
create index web_group_assignment_by_group on web_group_assignment (customer_number, group_id);

-- Derived from the assignments: who may use an entitlement, each user once, by name or through groups. On a Named User
-- entitlement every row is a seat.
create table web_seat (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  email           text collate "C" not null,
  since           timestamptz(3) not null,
  primary key (customer_number, activation_id, email),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, email) references web_user on delete cascade
);
create index web_seat_by_user on web_seat (customer_number, email);

-- Checkouts, those that run (they end at infinity) and those that are over.
create table web_checkout (
  customer_number   text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  checkout_number   bigint generated always as identity,
  checkout_id       text collate "C" not null,
  activation_id     text collate "C" not null,
  -- as the entitlement said when the checkout began
  product           text collate "C" not null,
  kind              text collate "C" not null check (kind in ('SUBSCRIPTION', 'CONCURRENT')),
  email             text collate "C" not null,
  host              text collate "C" not null,
  product_version   text collate "C" not null default '',
  external_ip       text collate "C",
  status            text collate "C" not null default 'Active'
                    check (status in ('Active', 'Completed', 'Timed out', 'Revoked')),
  started_at        timestamptz(3) not null,
  last_heartbeat_at timestamptz(3) not null,
  ends_at           timestamptz(3) not null default 'infinity',
  hours             numeric(12, 2) generated always as (
    case when isfinite(ends_at) then greatest(0.01, round(extract(epoch from ends_at - started_at) / 3600, 2)) end) stored,
  primary key (customer_number, checkout_number),
  unique (customer_number, checkout_id),
  foreign key (customer_number, activation_id) references entitlement,
  check (ends_at >= started_at),
  check (isfinite(ends_at) = (status <> 'Active'))
  -- No index on the heartbeat: it then changes nothing but the row itself.
) with (fillfactor = 80);
create index web_checkout_by_start on web_checkout (customer_number, started_at, checkout_number);
create index web_checkout_by_end on web_checkout (customer_number, ends_at, checkout_number);
create index web_checkout_by_user on web_checkout (customer_number, email, started_at);
create index web_checkout_running on web_checkout (customer_number, activation_id, email) where ends_at = 'infinity';

-- Checkouts that were denied, for the account to see.
create table web_denial (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              bigint generated always as identity,
  denied_at       timestamptz(3) not null,
  reason          text collate "C" not null,
  product         text collate "C" not null,
  email           text collate "C" not null,
  host            text collate "C" not null,
  product_version text collate "C" not null default '',
  external_ip     text collate "C",
  primary key (customer_number, id)
);
create index web_denial_by_time on web_denial (customer_number, denied_at, id);
-- Home of staff counts over all accounts.
create index web_denial_newest on web_denial (denied_at, customer_number);

-- How much of an entitlement is taken. Seats and checkouts update this row in their own transaction, so concurrent ones
-- wait, at every isolation level.
create table web_license_use (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  seats           integer not null default 0 check (seats >= 0),
  running         integer not null default 0 check (running >= 0),
  primary key (customer_number, activation_id),
  foreign key (customer_number, activation_id) references entitlement
) with (fillfactor = 50);

-- The quantity is locked before the count, as in the portal, to avoid deadlocks. An order that lowers the quantity
-- removes nobody, and nobody can be added.
create function count_web_seat() returns trigger language plpgsql as $$
declare
  taken     integer;
  allowed   integer;
  kind_sold text;
begin
  if tg_op = 'DELETE' then
    update web_license_use u set seats = u.seats - 1
     where u.customer_number = old.customer_number and u.activation_id = old.activation_id;
    return null;
  end if;
  select e.line_item_quantity, e.kind into allowed, kind_sold from entitlement e
   where e.customer_number = new.customer_number and e.activation_id = new.activation_id for share;
  insert into web_license_use as u (customer_number, activation_id, seats)
  values (new.customer_number, new.activation_id, 1)
  on conflict (customer_number, activation_id) do update set seats = u.seats + 1
  returning u.seats into taken;
  if kind_sold = 'CONCURRENT' then return null; end if;
  if kind_sold <> 'SUBSCRIPTION' or taken > allowed then
    raise exception 'no seat left on %', new.activation_id
      using errcode = 'check_violation', constraint = 'web_seats_within_quantity';
  end if;
  return null;
end $$;
create trigger web_seat_is_counted after insert or delete on web_seat for each row execute function count_web_seat();
create trigger web_seat_never_changes before update of customer_number, activation_id, email on web_seat
  for each statement execute function refuse_change();
create trigger web_seat_is_not_truncated before truncate on web_seat
  for each statement execute function refuse_change();

create function count_web_checkout() returns trigger language plpgsql as $$
declare
  taken   integer;
  allowed integer;
begin
  if tg_op = 'UPDATE' or tg_op = 'DELETE' then
    if old.ends_at < 'infinity' then return null; end if;
    update web_license_use u set running = u.running - 1
     where u.customer_number = old.customer_number and u.activation_id = old.activation_id;
    return null;
  end if;
  if new.ends_at < 'infinity' then return null; end if;
  select e.line_item_quantity into allowed from entitlement e
   where e.customer_number = new.customer_number and e.activation_id = new.activation_id for share;
  insert into web_license_use as u (customer_number, activation_id, running)
  values (new.customer_number, new.activation_id, 1)
  on conflict (customer_number, activation_id) do update set running = u.running + 1
  returning u.running into taken;
  if new.kind = 'SUBSCRIPTION' then return null; end if;
  if taken > allowed then
    raise exception 'no seat left on %', new.activation_id
      using errcode = 'check_violation', constraint = 'web_checkouts_within_quantity';
  end if;
  return null;
end $$;
create trigger web_checkout_is_counted after insert or update of ends_at or delete on web_checkout
  for each row execute function count_web_checkout();

-- A checkout that is over stays as it is.
create trigger web_checkout_ends_once before update on web_checkout
  for each row when (old.ends_at < 'infinity') execute function refuse_change();

-- Only the triggers of seats and checkouts may write the counts (for which this trigger runs at depth 2), never a
-- statement directly.
create function refuse_counting_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% follows seats and checkouts: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger web_license_use_follows before insert or update or delete on web_license_use
  for each row execute function refuse_counting_by_hand();
create trigger web_license_use_is_not_truncated before truncate on web_license_use
  for each statement execute function refuse_change();
