-- Who may start sessions on an elastic license server. Apart from the server's own row, which every booking of usage locks.
create table elastic_pin (
  customer_number customer_number not null,
  device_id       text collate "C" not null,
  -- AES-256-GCM with a key of the installation, bound to customer and server
  sealed_pin      bytea not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, device_id),
  foreign key (customer_number, device_id) references elastic_server
);

create table elastic_username (
  customer_number customer_number not null,
  device_id       text collate "C" not null,
  position        integer not null,
  username        text collate "C" not null check (username ~ '^[\x21-\x7e]{1,128}$'),
  -- names are compared without case
  username_key    text collate "C" not null generated always as (lower(username)) stored,
  primary key (customer_number, device_id, username_key),
  foreign key (customer_number, device_id) references elastic_server
);

create table elastic_ip_rule (
  customer_number customer_number not null,
  device_id       text collate "C" not null,
  position        integer not null,
  name            text not null check (name <> ''),
  -- as it was typed, and the addresses that it stands for
  address         text collate "C" not null check (address <> ''),
  network         cidr not null,
  primary key (customer_number, device_id, position),
  foreign key (customer_number, device_id) references elastic_server
);
