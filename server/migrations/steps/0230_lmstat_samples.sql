-- lmstat outputs count in any order of arrival, and lines of them that could not be read are shown.
alter table license_report add column status_unread_lines integer not null default 0, add column status_problems jsonb not null default '[]';

-- Seats in use at the lmstat outputs of an hour, by minute: {"05": {"solver": [3, 5]}} is 3 of 5 seats at five past. Only features in use.
create table license_sample (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  hour            timestamp(0) not null,
  polls           jsonb not null,
  primary key (customer_number, host_id, hour)
);

-- Checkouts that lmstat showed, each until the last output that showed it.
create table license_seen_checkout (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  started_at      timestamp(0) not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  handle          bigint not null,
  seats           integer not null,
  last_seen_at    timestamp(0) not null,
  primary key (customer_number, host_id, feature, started_at, user_host, handle)
);
create index license_seen_checkout_by_end on license_seen_checkout (customer_number, host_id, last_seen_at);
