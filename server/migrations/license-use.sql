-- after: settings
-- What license servers report about their seats. Times without a zone are those of the license server's clock.

-- How an account keeps what its license servers report.
create table license_use_settings (
  customer_number   text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  has_pseudonyms    boolean not null default false,
  -- makes pseudonyms: without it nobody can tell whose name a pseudonym stands for by trying names
  pseudonym_secret  bytea not null,
  -- single checkouts and denials are removed after so many days, sums are not
  kept_days         integer not null default 400 check (kept_days between 30 and 4000),
  -- the next in line for a seat is told after so many minutes
  offer_minutes     integer not null default 10,
  -- who holds a seat for so many hours can be asked for it
  ask_hours         integer not null default 8,
  saved_by          text not null,
  saved_at          timestamptz(3) not null
);

-- The last report of each license server.
create table license_report (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  reported_at     timestamptz(3) not null,
  -- the last line of a debug log, and the last lmstat output
  log_at          timestamp(0),
  status_at       timestamp(0),
  -- the last lmstat could not be read, for example because the license server did not answer
  status_error    text,
  -- times whose sums are not made yet: a large file is being read
  unsummed_from   timestamp(0),
  unsummed_to     timestamp(0),
  -- single checkouts and denials before this time were removed: sums of then cannot be made again
  removed_before  timestamp(0),
  -- lines of the last lmstat output that could not be read, and the first of them as [{"line": 8, "code": "unreadable"}]
  status_unread_lines integer not null default 0,
  status_problems jsonb not null default '[]',
  primary key (customer_number, host_id)
);

-- A debug log, read up to a position. Positions and lengths are bytes of the file.
create table license_log (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  number          integer not null,
  -- what its sender calls it; the parts of one name are one file
  name            text collate "C" not null,
  position        bigint not null default 0,
  -- the beginning of the file and what was read last, by which an upload is recognized as the same file, grown or not
  head_hash       bytea not null,
  head_length     integer not null,
  tail_hash       bytea not null,
  tail_length     integer not null,
  -- what the reader knows at the position
  state           jsonb not null,
  -- the unfinished last line, encrypted: it may name a user
  rest            bytea not null,
  first_at        timestamp(0),
  last_at         timestamp(0),
  lines           bigint not null default 0,
  unread_lines    bigint not null default 0,
  primary key (customer_number, host_id, number),
  constraint license_log_has_one_name unique (customer_number, host_id, name)
);

-- Parts of logs as they arrived. The content is kept only until everything before it has arrived and was read.
create table license_log_part (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  name            text collate "C" not null,
  position        bigint not null check (position >= 0),
  end_position    bigint not null check (end_position > position),
  hash            bytea not null,
  -- encrypted
  content         bytea,
  arrived_at      timestamptz(3) not null,
  primary key (customer_number, host_id, name, position)
);
create index license_log_part_by_arrival on license_log_part (customer_number, arrived_at);

-- Lines that could not be read. The first thousand of a log are kept.
create table license_log_problem (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  number          integer not null,
  line            bigint not null,
  code            text collate "C" not null,
  primary key (customer_number, host_id, number, line, code)
);

-- Starts and ends of license managers and vendor daemons: they end checkouts of earlier logs as well.
create table license_lifecycle (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  number          integer not null,
  at              timestamp(0) not null,
  event           text collate "C" not null,
  daemon          text collate "C" not null default '',
  primary key (customer_number, host_id, at, event, daemon, number)
);

-- One checkout. Partitioned by the month in which the seat went out.
create table license_checkout (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  number          integer not null,
  id              bigint not null,
  daemon          text collate "C" not null,
  feature         text collate "C" not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  data            text collate "C",
  seats           integer not null check (seats > 0),
  out_at          timestamp(0) not null check (isfinite(out_at)),
  -- infinity while the seat is out
  in_at           timestamp(0) not null default 'infinity',
  -- the place of the return among the events of its log, as id is that of the checkout; null: the seat is out, or another log says that it is back
  in_id           bigint,
  closed_by       text collate "C",
  -- false: the seat went out before the log begins, whose first line stands in
  is_start_known  boolean not null default true,
  -- the log itself does not say that the seat came back: a later log may
  is_open_in_log  boolean not null default false,
  -- this return belongs to a checkout of an earlier log, which has it now
  is_joined       boolean not null default false,
  -- another log has the same line: this one does not count, and is_joined is set as well
  is_repeated     boolean not null default false,
  -- lmstat no longer showed it at this time: the end is inferred, until a log says when it was
  gone_at         timestamp(0),
  primary key (customer_number, host_id, number, id, out_at)
) partition by range (out_at);
create index license_checkout_by_return on license_checkout (customer_number, host_id, in_at, out_at);
create index license_checkout_by_feature on license_checkout (customer_number, feature, out_at);
create index license_checkout_out on license_checkout (customer_number, host_id, feature) where in_at = 'infinity';
create index license_checkout_to_join on license_checkout (customer_number, host_id, out_at)
  where is_open_in_log or not is_start_known;

-- One refusal, by the month in which it was.
create table license_denial (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  host_id         text collate "C" not null,
  number          integer not null,
  id              bigint not null,
  at              timestamp(0) not null check (isfinite(at)),
  event           text collate "C" not null check (event in ('DENIED', 'UNSUPPORTED')),
  daemon          text collate "C" not null,
  feature         text collate "C" not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  seats           integer not null,
  version         text collate "C",
  code            integer,
  reason          text collate "C",
  cause           text collate "C" not null,
  is_retry        boolean not null,
  is_granted      boolean not null default false,
  -- a shortage that was no retry and after which the user got no seat within a minute
  is_real         boolean not null,
  -- another log has the same line: this one does not count
  is_repeated     boolean not null default false,
  primary key (customer_number, host_id, number, id, at)
) partition by range (at);
create index license_denial_by_time on license_denial (customer_number, at);
create index license_denial_by_feature on license_denial (customer_number, host_id, feature, at);

-- Makes the months from one day to another. Runs as the owner of the tables, because the portal's role may not create any.
create function ensure_license_use_partitions(from_day timestamp, to_day timestamp) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month     timestamp := date_trunc('month', from_day);
  partition text;
  parent    text;
  writer    record;
  made      integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('license use partitions'));
  while month <= to_day loop
    foreach parent in array array['license_checkout', 'license_denial'] loop
      partition := parent || to_char(month, '_YYYY_MM');
      if to_regclass(partition) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          partition, parent, month, month + interval '1 month');
        for writer in
          select distinct a.grantee::regrole as role from pg_class c cross join aclexplode(c.relacl) a
           where c.oid = parent::regclass and a.privilege_type = 'INSERT' and a.grantee not in (0, c.relowner)
        loop
          execute format('grant select, insert, update, delete on %I to %s', partition, writer.role);
        end loop;
        made := made + 1;
      end if;
    end loop;
    month := month + interval '1 month';
  end loop;
  return made;
end $$;

-- Seats in use by the hour. Hours in which nothing was in use and nobody was refused have no row.
create table license_use_hour (
  customer_number  text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id          text collate "C" not null,
  feature          text collate "C" not null,
  hour             timestamp(0) not null,
  peak             integer not null,
  seat_seconds     bigint not null,
  seconds_at_limit integer not null,
  -- as known when the hour was summed
  seat_limit       integer,
  checkouts        integer not null,
  denials          integer not null,
  real_denials     integer not null,
  primary key (customer_number, host_id, feature, hour)
) with (fillfactor = 80);
create index license_use_hour_by_time on license_use_hour (customer_number, hour)
  include (host_id, feature, peak, seat_seconds, seconds_at_limit, checkouts, denials, real_denials);

-- Use by the day of each user and of each host of users.
create table license_use_day (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  day             date not null,
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  seat_seconds    bigint not null,
  checkouts       integer not null,
  real_denials    integer not null,
  primary key (customer_number, host_id, feature, day, user_name, user_host)
) with (fillfactor = 80);
create index license_use_day_by_time on license_use_day (customer_number, day);

-- The features of a license server as the last lmstat showed them.
create table license_feature (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  state           text collate "C" not null check (state in ('counted', 'uncounted', 'unsupported', 'error')),
  -- null: not known
  seat_limit      integer,
  in_use          integer,
  reserved        integer not null,
  queued          integer not null,
  expires         text collate "C",
  status_at       timestamp(0) not null,
  primary key (customer_number, host_id, feature)
);

-- Who holds or waits for a seat, as the last lmstat showed it.
create table license_holder (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  host_id         text collate "C" not null,
  feature         text collate "C" not null,
  position        integer not null,
  kind            text collate "C" not null check (kind in ('in use', 'borrowed', 'queued')),
  user_name       text collate "C" not null,
  user_host       text collate "C" not null,
  display         text collate "C" not null,
  version         text collate "C" not null,
  seats           integer not null,
  started_at      timestamp(0),
  -- the words of the line could be divided in several ways
  is_uncertain    boolean not null,
  primary key (customer_number, host_id, feature, position)
);

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

-- A file that is being uploaded in parts, compressed, until it is read. Positions are bytes of the file.
create table license_upload_part (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  upload_id       uuid not null,
  position        bigint not null check (position >= 0),
  length          integer not null check (length > 0),
  -- compressed and encrypted
  content         bytea not null,
  arrived_at      timestamptz(3) not null,
  primary key (customer_number, upload_id, position)
);
create index license_upload_part_by_arrival on license_upload_part (customer_number, arrived_at);

-- The lines for seats: who waits for which feature. Rows of people who have left a line are kept for some days.
create table license_wait (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  wait_id         text collate "C" not null,
  feature         text collate "C" not null,
  -- null: a seat of any license server will do
  host_id         text collate "C",
  seats           integer not null check (seats > 0),
  -- whom to tell
  email           text not null,
  is_mailed       boolean not null,
  -- who checks the seat out, as the license server names them
  user_name       text collate "C" not null check (user_name <> ''),
  priority        text not null default 'normal' check (priority in ('high', 'normal', 'low')),
  -- the order of arrival within the feature
  number          bigint not null,
  joined_at       timestamptz(3) not null,
  until           timestamptz(3) not null,
  state           text not null check (state in ('waiting', 'offered', 'checked-out', 'missed', 'expired', 'withdrawn', 'no-access')),
  -- the fewest seats that the user held since, by license server
  held_before     jsonb not null default '{}',
  offered_host    text collate "C",
  offered_at      timestamptz(3),
  offer_ends_at   timestamptz(3),
  closed_at       timestamptz(3),
  primary key (customer_number, wait_id),
  constraint license_wait_has_place unique (customer_number, feature, number),
  constraint license_wait_closed check ((closed_at is null) = (state in ('waiting', 'offered'))),
  constraint license_wait_offer check ((offered_at is null) = (offered_host is null) and (offered_at is null) = (offer_ends_at is null)
    and (state <> 'offered' or offered_at is not null) and (state <> 'waiting' or offered_at is null))
);
-- A user is in the line of a feature once: two places could not be told apart when a seat is checked out.
create unique index license_wait_once on license_wait (customer_number, feature, lower(user_name)) where closed_at is null;
create index license_wait_open on license_wait (customer_number, email) where closed_at is null;
create index license_wait_by_end on license_wait (customer_number, closed_at) where closed_at is not null;

-- Holders who were asked for a seat: at most one email for each of them and day of the account.
create table license_holder_ask (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  -- in lower case
  user_name       text collate "C" not null,
  asked_on        date not null,
  asked_by        text not null,
  primary key (customer_number, user_name, asked_on)
);
