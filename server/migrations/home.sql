-- after: accounts
-- What a person has put off until a day on the work list of an account, or marked as done when so many were counted
-- (domain/home/work-list.ts).
create table hidden_matter (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  email           text not null check (email = lower(email collate "C")),
  key             text collate "C" not null,
  until           date,
  count           integer not null check (count >= 0),
  hidden_at       timestamptz(3) not null,
  primary key (customer_number, email, key)
);
