-- Wrong PINs of one server from any address, counted for a day from the first of them. Beyond a limit, addresses that have not
-- sent the right PIN before take turns (domain/elastic/pin-guessing.ts).
create table pin_guessing (
  customer_number customer_number not null references account,
  server_id       text collate "C" not null,
  since           timestamptz(3) not null,
  failures        integer not null,
  -- the last attempt that an address took in its turn
  tried_at        timestamptz(3) not null default '-infinity',
  primary key (customer_number, server_id)
);

-- Addresses that have sent the right PIN of a server: the guesses of others do not slow them down.
create table pin_address (
  customer_number customer_number not null references account,
  server_id       text collate "C" not null,
  external_ip     text collate "C" not null,
  right_at        timestamptz(3) not null,
  primary key (customer_number, server_id, external_ip)
);
create index pin_address_by_time on pin_address (right_at);

-- The sessions of the last 90 days were started with the right PIN. An IPv6 address counts as its network, as in the rule.
do $$
declare
  known  record;
  sender inet;
begin
  for known in
    select customer_number, server_id, external_ip, max(started_at) as right_at from usage_transaction
     where started_at > now() - interval '90 days' and external_ip <> '' group by 1, 2, 3
  loop
    begin
      sender := regexp_replace(known.external_ip, '^::ffff:([0-9.]+)$', '\1', 'i');
    exception when data_exception then
      continue;
    end;
    insert into pin_address as kept (customer_number, server_id, external_ip, right_at) values (
      known.customer_number, known.server_id,
      case family(sender) when 4 then host(sender) else text(network(set_masklen(sender, 64))) end, known.right_at)
    on conflict (customer_number, server_id, external_ip)
      do update set right_at = greatest(kept.right_at, excluded.right_at);
  end loop;
end $$;

-- Guesses at ids that no server has. They are slowed and locked alike, so that nobody learns which servers exist.
create table unknown_pin_failure (
  server_id   text collate "C" not null,
  external_ip text collate "C" not null,
  failures    integer not null,
  failed_at   timestamptz(3) not null,
  primary key (server_id, external_ip)
);
create index unknown_pin_failure_by_time on unknown_pin_failure (failed_at);
create table unknown_pin_guessing (
  server_id text collate "C" primary key,
  since     timestamptz(3) not null,
  failures  integer not null,
  tried_at  timestamptz(3) not null default '-infinity',
  -- attempts that were refused without a look at the PIN
  refused   integer not null default 0
);
create index unknown_pin_guessing_by_time on unknown_pin_guessing (since);
