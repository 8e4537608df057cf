-- License hosts of an account. A triad is one host: three names and three ids of one type, joined by commas, the primary
-- first. The same machine under two accounts is two rows: sharing is something that people declare, never a coincidence.
create table host (
  customer_number customer_number not null references account,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  host_id         text collate "C" not null check (host_id ~ case host_id_type
                    when 'ETHERNET' then '^[0-9a-f]{12}(,[0-9a-f]{12},[0-9a-f]{12})?$'
                    when 'DISK_SERIAL_NUM' then '^[0-9a-f]{8}(,[0-9a-f]{8},[0-9a-f]{8})?$'
                    when 'FLEXID' then '^9-[0-9a-f]{8}(,9-[0-9a-f]{8},9-[0-9a-f]{8})?$' end),
  host_name       text collate "C" not null check (host_name ~ '^[^,]+(,[^,]+,[^,]+)?$'),
  port            integer not null default 1055 check (port between 1 and 65535),
  added_at        timestamptz not null,
  primary key (customer_number, host_id_type, host_id),
  check ((host_name like '%,%') = (host_id like '%,%'))
);

-- Fulfillments: a positive row activates seats of an entitlement on a host, a negative row returns them. Rows are only ever
-- added; how many seats are activated is their sum.
create table fulfillment (
  customer_number       customer_number not null,
  fulfillment_id        text collate "C" not null default gen_random_uuid()::text,
  -- the activation that a return takes back
  parent_fulfillment_id text collate "C",
  activation_id         text collate "C" not null,
  host_id_type          text collate "C" not null,
  host_id               text collate "C" not null,
  fulfill_count         integer not null check (fulfill_count <> 0),
  action                text collate "C" not null default 'EDIT' check (action in ('EDIT', 'REHOST', 'DEACTIVATE')),
  modified_by           text not null default 'Automated Action',
  fulfilled_at          timestamptz not null,
  primary key (customer_number, fulfillment_id),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, host_id_type, host_id) references host,
  foreign key (customer_number, parent_fulfillment_id) references fulfillment,
  check (parent_fulfillment_id is null or fulfill_count < 0)
);
create index fulfillment_by_activation on fulfillment (customer_number, activation_id, fulfilled_at);
create index fulfillment_by_host on fulfillment (customer_number, host_id_type, host_id, fulfilled_at);
create trigger fulfillment_is_append_only before update or delete or truncate on fulfillment
  for each statement execute function refuse_change();

-- The ledger's sum per entitlement and host; zero once everything was returned.
create table host_seats (
  customer_number customer_number not null,
  activation_id   text collate "C" not null,
  host_id_type    text collate "C" not null,
  host_id         text collate "C" not null,
  seats           integer not null,
  primary key (customer_number, activation_id, host_id_type, host_id),
  foreign key (customer_number, activation_id) references entitlement,
  foreign key (customer_number, host_id_type, host_id) references host,
  constraint host_seats_not_negative check (seats >= 0)
);
create index host_seats_by_host on host_seats (customer_number, host_id_type, host_id) where seats > 0;

-- Every ledger row moves both sums in its own transaction, and their checks refuse what does not fit. The sums are rows
-- that are *changed*, not added up anew: so whoever writes at the same time waits, or fails to serialize, at every
-- isolation level. The entitlement comes first: it holds the door for its hosts.
create function keep_seats() returns trigger language plpgsql as $$
begin
  update entitlement e set activated_count = e.activated_count + new.fulfill_count
   where e.customer_number = new.customer_number and e.activation_id = new.activation_id;
  update host_seats s set seats = s.seats + new.fulfill_count
   where s.customer_number = new.customer_number and s.activation_id = new.activation_id
     and s.host_id_type = new.host_id_type and s.host_id = new.host_id;
  if not found then
    insert into host_seats (customer_number, activation_id, host_id_type, host_id, seats)
    values (new.customer_number, new.activation_id, new.host_id_type, new.host_id, new.fulfill_count);
  end if;
  return null;
end $$;
create trigger fulfillment_moves_seats after insert on fulfillment for each row execute function keep_seats();

-- The sums belong to the ledger: written by its trigger (which makes this one the second in depth), never directly.
create function refuse_outside_ledger() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % follows the fulfillment ledger: % refused', tg_argv[0], tg_table_name, tg_op
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger activated_count_follows_ledger before update of activated_count on entitlement
  for each row when (old.activated_count <> new.activated_count)
  execute function refuse_outside_ledger('activated_count');
create trigger activated_count_starts_at_zero before insert on entitlement
  for each row when (new.activated_count <> 0) execute function refuse_outside_ledger('activated_count');
create trigger host_seats_follow_ledger before insert or update or delete on host_seats
  for each row execute function refuse_outside_ledger('seats');
create trigger host_seats_are_not_truncated before truncate on host_seats
  for each statement execute function refuse_change();
