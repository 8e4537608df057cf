-- Session starts that were refused, for the account to see.
create table elastic_denial (
  customer_number customer_number not null references account,
  id              bigint generated always as identity,
  denied_at       timestamptz(3) not null,
  reason          text collate "C" not null,
  server_id       text collate "C" not null,
  product         text collate "C" not null,
  product_count   integer not null,
  user_name       text collate "C" not null,
  host            text collate "C" not null,
  project         text collate "C",
  product_version text collate "C" not null default '',
  external_ip     text collate "C" not null,
  primary key (customer_number, id)
);
create index elastic_denial_by_time on elastic_denial (customer_number, denied_at, id);

-- Wrong PINs of one server from one address, since the last right one.
create table pin_failure (
  customer_number customer_number not null references account,
  server_id       text collate "C" not null,
  external_ip     text collate "C" not null,
  failures        integer not null,
  failed_at       timestamptz(3) not null,
  primary key (customer_number, server_id, external_ip)
);
