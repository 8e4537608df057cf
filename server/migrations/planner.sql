-- after: accounts
-- Plans of what to renew. The lines are one document, with the prices of the day on which they were saved.
create table renewal_plan (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  plan_id         text collate "C" not null,
  name            text not null check (name <> ''),
  -- the days whose measured use counts
  measured_from   date not null,
  measured_to     date not null check (measured_to >= measured_from),
  -- the plan is about what ends in these days, both included; null: no limit on this side
  ends_from       date,
  ends_by         date,
  lines           jsonb not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  revision        integer not null default 1 check (revision > 0),
  primary key (customer_number, plan_id)
);
