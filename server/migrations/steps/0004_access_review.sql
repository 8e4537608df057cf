-- Access reviews, and what they need to know: who added a contact, and when an endpoint last got an event. Both are unknown for what was before,
-- except for endpoints whose deliveries are still there.
alter table contact add column added_by text;
alter table webhook_endpoint add column last_delivered_at timestamptz(3);
update webhook_endpoint e set last_delivered_at = (
  select max(d.last_attempt_at) from webhook_delivery d
   where d.customer_number = e.customer_number and d.endpoint_id = e.id and d.state = 'delivered');

-- How often an account reviews who has access to it.
create table access_review_settings (
  customer_number text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  -- in days; 0: by hand only
  every           integer not null check (every in (0, 90, 180, 365)),
  -- the day of the account on which this period was chosen
  chosen_on       date not null,
  due_days        integer not null check (due_days between 1 and 90),
  saved_by        text not null,
  saved_at        timestamptz(3) not null
);

create table access_review (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  review_id       uuid not null,
  opened_at       timestamptz(3) not null,
  -- days are those of the account
  opened_on       date not null,
  -- null: by the schedule
  opened_by       text,
  due_on          date not null check (due_on >= opened_on),
  -- the last reminder that was mailed, in days before the due day
  told_days       smallint,
  finished_at     timestamptz(3),
  finished_on     date,
  finished_by     text,
  -- of a finished review
  kept            integer,
  taken_away      integer,
  gone            integer,
  undecided       integer,
  -- accesses that were given while it was open: they belong to the next one
  given_meanwhile integer,
  primary key (customer_number, review_id),
  constraint access_review_finished check (
    num_nulls(finished_at, finished_on, finished_by, kept, taken_away, gone, undecided, given_meanwhile) in (0, 8))
);
-- One at a time, however many people and processes open one.
create unique index access_review_open on access_review (customer_number) where finished_at is null;
create index access_review_by_end on access_review (customer_number, finished_at desc, review_id);

-- Who had access when a review was opened, and what was decided.
create table access_review_entry (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  review_id       uuid not null,
  entry_id        text collate "C" not null,
  kind            text collate "C" not null check (kind in ('contact', 'web-user', 'grant', 'token', 'calendar', 'webhook')),
  -- the address of a person, or the id of what a program uses
  key             text collate "C" not null,
  name            text collate "C" not null,
  holder          text collate "C" not null,
  role            text collate "C" not null,
  source          text collate "C" not null check (source in ('hand', 'scim', 'staff', 'unknown')),
  last_used_at    timestamptz(3),
  since           timestamptz(3) not null,
  given_by        text collate "C",
  is_unused       boolean not null,
  decision        text collate "C" not null default 'open' check (decision in ('open', 'kept', 'taken-away', 'gone')),
  decided_by      text collate "C",
  decided_at      timestamptz(3),
  reason          text collate "C" not null default '',
  revision        integer not null default 1 check (revision > 0),
  primary key (customer_number, review_id, entry_id),
  foreign key (customer_number, review_id) references access_review,
  constraint access_review_entry_decided check ((decision = 'open') = (decided_at is null)),
  constraint access_review_entry_reason check (decision <> 'taken-away' or reason <> '')
);

-- The signed report of a finished review.
create table access_review_file (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  review_id       uuid not null,
  csv             bytea not null,
  pdf             bytea not null,
  -- the signed statement about both, as it is downloaded
  signature       text not null,
  made_at         timestamptz(3) not null,
  primary key (customer_number, review_id),
  foreign key (customer_number, review_id) references access_review
);

create trigger access_review_file_is_append_only before update or delete on access_review_file
  for each statement execute function refuse_change();
create trigger access_review_file_is_not_truncated before truncate on access_review_file
  for each statement execute function refuse_change();
