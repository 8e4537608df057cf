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

-- Every license file that was generated, for good. `position` orders files of the same instant.
create table license_file (
  customer_number customer_number not null,
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
  -- the same for everybody in `customers`, where the server is shared
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
create trigger license_file_is_append_only before update or delete or truncate on license_file
  for each statement execute function refuse_change();
