-- Sessions that run now. The usage row of the same transaction number is what the screens show; this is what heartbeats
-- change, and it goes when the session ends. Rate and currency are those of the entitlement on which the session began.
create table elastic_session (
  customer_number    customer_number not null,
  session_id         text collate "C" not null,
  transaction_number bigint not null,
  server_id          text collate "C" not null,
  activation_id      text collate "C" not null,
  started_at         timestamptz(3) not null,
  last_heartbeat_at  timestamptz(3) not null,
  product_count      integer not null check (product_count > 0),
  units_per_hour     numeric(12, 4) not null,
  currency           text collate "C" not null,
  primary key (customer_number, session_id),
  check (last_heartbeat_at >= started_at)
  -- No further index: a heartbeat then changes nothing but the row itself.
) with (fillfactor = 70);

-- Finished transactions that were taken, by the sender's id: each is booked once, whatever is sent again.
create table usage_receipt (
  customer_number customer_number not null,
  id              text collate "C" not null,
  primary key (customer_number, id)
);
