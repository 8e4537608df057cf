-- Options files of vendor daemons. The row of a file is locked by everything that changes it or its reservations, so that RESERVE lines and
-- reservations together never exceed the seats.
create table options_file (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  daemon          text collate "C" not null check (daemon ~ '^[A-Za-z0-9_-]{1,60}$'),
  -- the newest
  version         integer not null check (version > 0),
  -- counts the changes of text and reservations: a file with a higher one is newer
  edition         integer not null check (edition >= version),
  primary key (customer_number, host_id, daemon)
);

-- Every text that was saved.
create table options_file_version (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  daemon          text collate "C" not null,
  version         integer not null check (version > 0),
  text            text not null check (length(text) <= 262144),
  -- the version whose text this is again
  restored_from   integer check (restored_from < version),
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, host_id, daemon, version),
  foreign key (customer_number, host_id, daemon) references options_file
);

create trigger options_file_version_is_append_only before update or delete on options_file_version
  for each statement execute function refuse_change();
create trigger options_file_version_is_not_truncated before truncate on options_file_version
  for each statement execute function refuse_change();

-- Seats of a feature that a user group has on days of the account, both ends included.
create table options_reservation (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  daemon          text collate "C" not null,
  reservation_id  uuid not null,
  feature         text collate "C" not null check (feature <> ''),
  group_name      text collate "C" not null check (group_name <> ''),
  seats           integer not null check (seats > 0),
  first_day       date not null,
  last_day        date not null,
  -- 1 is Monday
  weekdays        integer[] not null check (weekdays <@ array[1, 2, 3, 4, 5, 6, 7] and cardinality(weekdays) between 1 and 7),
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  revision        integer not null default 1 check (revision > 0),
  primary key (customer_number, host_id, daemon, reservation_id),
  foreign key (customer_number, host_id, daemon) references options_file,
  check (last_day >= first_day)
);

-- What the collector of each machine reported last.
create table options_install (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  daemon          text collate "C" not null,
  machine         text collate "C" not null check (machine <> ''),
  version         integer not null,
  day             date not null,
  -- of the file without its last line, in hex
  sha256          text collate "C" not null,
  outcome         text collate "C" not null check (outcome in ('installed', 'failed', 'refused')),
  message         text,
  reported_at     timestamptz(3) not null,
  primary key (customer_number, host_id, daemon, machine),
  foreign key (customer_number, host_id, daemon) references options_file
);
