-- after: entitlements, installation
-- License hosts, the ledger of seats on them, license files, and the plans that change them.

-- A triad is one host: three names and three ids of one type, joined by commas, the primary first. The same machine under two
-- accounts is two rows: sharing is something that people declare, never a coincidence.
create table host (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  host_id         text collate "C" not null check (host_id ~ case host_id_type
                    when 'ETHERNET' then '^[0-9a-f]{12}(,[0-9a-f]{12},[0-9a-f]{12})?$'
                    when 'DISK_SERIAL_NUM' then '^[0-9a-f]{8}(,[0-9a-f]{8},[0-9a-f]{8})?$'
                    when 'FLEXID' then '^9-[0-9a-f]{8}(,9-[0-9a-f]{8},9-[0-9a-f]{8})?$' end),
  -- One machine has the same ids of one type, whatever their order within a triad. This is the id in a fixed order.
  machine_id      text collate "C" not null generated always as (
    case when host_id like '%,%' then
      least(split_part(host_id, ',', 1), split_part(host_id, ',', 2), split_part(host_id, ',', 3))
      || ',' ||
      greatest(
        least(split_part(host_id, ',', 1), split_part(host_id, ',', 2)),
        least(greatest(split_part(host_id, ',', 1), split_part(host_id, ',', 2)), split_part(host_id, ',', 3)))
      || ',' ||
      greatest(split_part(host_id, ',', 1), split_part(host_id, ',', 2), split_part(host_id, ',', 3))
    else host_id end) stored,
  host_name       text collate "C" not null check (host_name ~ '^[^,]+(,[^,]+,[^,]+)?$'),
  port            integer not null default 1055 check (port between 1 and 65535),
  -- decides whether borrowable licenses carry BORROW in the license file
  is_borrowable   boolean not null default false,
  added_at        timestamptz not null,
  -- A deleted host is no longer listed. Its ledger and files stay, and adding the host again restores it as it was.
  removed_at      timestamptz,
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, host_id_type, host_id),
  constraint host_is_one_machine unique (customer_number, host_id_type, machine_id),
  check ((host_name like '%,%') = (host_id like '%,%'))
);
-- Hosts in the order of their names, of which a page takes the first few.
create index host_by_name on host (customer_number, host_name, host_id);
create index host_by_change on host (changed_at, customer_number, host_id_type, host_id);
-- Staff search over all accounts by the beginning of an id, also of the second and third id of a triad.
create index host_by_id on host (host_id) where removed_at is null;
create index host_by_triad on host using gin (string_to_array(host_id, ',')) where host_id like '%,%' and removed_at is null;

create trigger host_change_is_noted before update on host for each row
  when ((old.customer_number, old.host_id_type, old.host_id, old.host_name, old.port, old.is_borrowable, old.added_at,
         old.removed_at)
        is distinct from (new.customer_number, new.host_id_type, new.host_id, new.host_name, new.port, new.is_borrowable, new.added_at,
         new.removed_at))
  execute function note_change();

-- Customers that declared that they share a license server. The members of one group have the same group id. The same
-- machine can be in several groups of different customers, who know nothing of each other.
create table shared_server_member (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  machine_id      text collate "C" not null,
  group_id        text collate "C" not null,
  added_at        timestamptz not null,
  added_by        text not null,
  primary key (customer_number, host_id_type, machine_id)
);
create index shared_server_member_by_group on shared_server_member (group_id);

-- The ledger. A positive row activates seats of an entitlement on a host, a negative row returns them. Rows are only ever
-- added; how many seats are activated is their sum.
create table fulfillment (
  customer_number       text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
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

create trigger fulfillment_is_append_only before update or delete on fulfillment
  for each statement execute function refuse_change();
create trigger fulfillment_is_not_truncated before truncate on fulfillment
  for each statement execute function refuse_change();

-- The ledger's sum per entitlement and host; zero once everything was returned.
create table host_seats (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
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
-- that are *updated*, not recomputed, so concurrent writers wait or get a serialization failure at every isolation
-- level. The entitlement is locked before its hosts.
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

-- Only the ledger's trigger may write the sums (for which this trigger runs at depth 2), never a statement directly.
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

-- Keys that sign license files. One is current; the others only verify. The private half is encrypted with a key that is
-- derived from the installation's secret.
create table signing_key (
  key_id             text collate "C" primary key check (key_id ~ '^[A-Za-z0-9-]{1,40}$'),
  public_key         bytea not null,
  sealed_private_key bytea not null,
  created_at         timestamptz not null,
  created_by         text not null,
  retired_at         timestamptz
);
create unique index one_current_signing_key on signing_key ((true)) where retired_at is null;

-- Every license file that was ever generated. `position` orders files of the same instant.
create table license_file (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  file_id         text collate "C" not null default gen_random_uuid()::text,
  position        bigint generated always as identity,
  host_id_type    text collate "C" not null,
  host_id         text collate "C" not null,
  generated_at    timestamptz not null,
  generated_by    text not null,
  reason          text not null check (reason in ('FIRST', 'SEATS_CHANGED', 'LICENSES_EXPIRED', 'REQUESTED')),
  issued_on       date not null,
  -- what the customer alone has on the host
  own_text        text not null,
  -- one text for everybody in `customers`, where the server is shared
  shared_text     text,
  customers       text[] not null check (cardinality(customers) > 0),
  -- the ledger's length for every customer that shares the server: if it differs now, seats or members have changed
  made_from       text not null,
  -- the first day on which something in the file ends; null if nothing does
  first_end       date,
  key_id          text collate "C" not null references signing_key,
  primary key (customer_number, file_id),
  foreign key (customer_number, host_id_type, host_id) references host
);
create index license_file_by_host on license_file (customer_number, host_id_type, host_id, position desc);

create trigger license_file_is_append_only before update or delete on license_file
  for each statement execute function refuse_change();
create trigger license_file_is_not_truncated before truncate on license_file
  for each statement execute function refuse_change();

-- What is done to hosts as one plan: saved on the activations screen, moved to another host, deactivated, renewed, or taken
-- back from a lost one. A plan is stored with all its steps; each is done in one transaction with the note that it is done.
create table host_plan (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  plan_id         text collate "C" not null default gen_random_uuid()::text,
  action          text collate "C" not null check (action in ('REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN', 'REGENERATE', 'SAVE')),
  state           text collate "C" not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- the hosts, whose seats are meant, and why
  request         jsonb not null,
  requested_by    text not null,
  requested_at    timestamptz not null,
  -- who asked, from where: for the audit entries of the steps
  requested_from  jsonb not null,
  finished_at     timestamptz,
  failure_code    text collate "C",
  failure         text,
  primary key (customer_number, plan_id),
  check ((state in ('done', 'failed')) = (finished_at is not null)),
  check ((state = 'failed') = (failure is not null) and (failure is null) = (failure_code is null))
);
create index host_plan_unfinished on host_plan (requested_at) where finished_at is null;
create index host_plan_by_time on host_plan (customer_number, requested_at desc);

create table host_plan_step (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  plan_id         text collate "C" not null,
  position        integer not null,
  step            jsonb not null,
  done_at         timestamptz,
  primary key (customer_number, plan_id, position),
  foreign key (customer_number, plan_id) references host_plan
);

-- Seats that an unfinished plan has returned and will activate again, or will activate first: nobody else may have them.
create table reserved_seats (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  activation_id   text collate "C" not null,
  plan_id         text collate "C" not null,
  seats           integer not null check (seats >= 0),
  primary key (customer_number, activation_id, plan_id),
  foreign key (customer_number, activation_id) references entitlement
);
create index reserved_seats_by_plan on reserved_seats (plan_id);

-- Hosts that an unfinished plan changes: one plan at a time.
create table busy_host (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  machine_id      text collate "C" not null,
  plan_id         text collate "C" not null,
  primary key (customer_number, host_id_type, machine_id)
);
create index busy_host_by_plan on busy_host (plan_id);
