-- after: accounts
-- Where the events of an account are sent.
create table webhook_endpoint (
  customer_number     text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id                  uuid not null,
  url                 text not null check (url <> ''),
  description         text not null default '',
  events              text[] not null,
  is_on               boolean not null default true,
  -- why nothing is sent
  off_reason          text,
  -- the first failure since the last success
  failing_since       timestamptz(3),
  -- sealed with a secret of the installation; for a day after a new one was made, the former one signs as well
  secret              bytea not null,
  former_secret       bytea,
  former_secret_until timestamptz(3),
  revision            integer not null default 1 check (revision > 0),
  created_by          text not null,
  created_at          timestamptz(3) not null,
  -- the process that delivers to this endpoint, until then; afterwards, when it was last served
  lease_id            uuid,
  lease_until         timestamptz(3),
  -- deliveries themselves are deleted after 30 days; noted once an hour at most
  last_delivered_at   timestamptz(3),
  primary key (customer_number, id),
  unique (customer_number, url),
  constraint webhook_endpoint_off check (is_on = (off_reason is null)),
  constraint webhook_endpoint_former_secret check ((former_secret is null) = (former_secret_until is null))
);

-- Events, once for each endpoint that has chosen them, written with their cause. Deleted after 30 days.
create table webhook_delivery (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  endpoint_id     uuid not null,
  event_id        uuid not null,
  -- the order of an endpoint's events, in microseconds: events of one instant count up
  sequence        bigint not null,
  event           text not null,
  body            text not null,
  happened_at     timestamptz(3) not null,
  -- held: the endpoint is off, so it is sent only on request
  state           text not null check (state in ('queued', 'delivered', 'failed', 'held')),
  attempts        integer not null default 0 check (attempts >= 0),
  -- since it was last queued
  failures        integer not null default 0 check (failures >= 0),
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  status          integer,
  milliseconds    integer,
  trouble         text not null default '',
  -- the message in the outbox by which operators see that it has failed
  message_id      uuid,
  primary key (customer_number, endpoint_id, event_id),
  foreign key (customer_number, endpoint_id) references webhook_endpoint on delete cascade,
  constraint webhook_delivery_next check ((state = 'queued') = (next_attempt_at is not null))
);
create index webhook_delivery_queued on webhook_delivery (customer_number, endpoint_id, sequence, next_attempt_at)
  where state = 'queued';
create index webhook_delivery_by_time on webhook_delivery (customer_number, happened_at desc, event_id, endpoint_id);
create index webhook_delivery_age on webhook_delivery (happened_at);

create table webhook_attempt (
  customer_number  text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  endpoint_id      uuid not null,
  event_id         uuid not null,
  number           integer not null check (number > 0),
  started_at       timestamptz(3) not null,
  milliseconds     integer not null check (milliseconds >= 0),
  status           integer,
  trouble          text not null default '',
  request_headers  jsonb not null,
  response_headers jsonb not null,
  response_body    text not null default '',
  primary key (customer_number, endpoint_id, event_id, number),
  foreign key (customer_number, endpoint_id, event_id) references webhook_delivery on delete cascade
);
