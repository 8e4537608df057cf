-- Statements that were mailed. They are frozen: usage that arrives later is stated as late in the next one.
create table mailed_statement (
  customer_number customer_number not null references account,
  id              text collate "C" not null default gen_random_uuid()::text,
  kind            text collate "C" not null check (kind in ('weekly', 'monthly')),
  period_from     date not null,
  period_to       date not null check (period_to >= period_from),
  -- empty for a statement of the whole account
  activation_id   text collate "C" not null,
  mailed_at       timestamptz(3) not null,
  -- a person, or the schedule
  mailed_by       text not null,
  file_name       text not null,
  pdf             bytea not null,
  primary key (customer_number, id),
  -- a period is frozen once; mailing it again mails the same file
  unique (customer_number, kind, period_to, activation_id)
);

-- What a mailed statement says about one entitlement, and what its successor in the series starts from.
create table mailed_record (
  customer_number customer_number not null references account,
  activation_id   text collate "C" not null,
  kind            text collate "C" not null check (kind in ('weekly', 'monthly')),
  period_to       date not null,
  total           numeric not null,
  -- charges that had ended by period_to
  used            numeric not null,
  -- null where the statement has no line for the entitlement
  record          jsonb,
  primary key (customer_number, activation_id, kind, period_to)
);

create trigger mailed_statement_is_frozen before update or delete or truncate on mailed_statement
  for each statement execute function refuse_change();
create trigger mailed_record_is_frozen before update or delete or truncate on mailed_record
  for each statement execute function refuse_change();
