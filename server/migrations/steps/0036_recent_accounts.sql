-- The accounts that a person has opened, for "Recent accounts" and for the account that sign-in lands on.
create table recent_account (
  customer_number text not null references account (customer_number) on delete cascade,
  email           text not null,
  opened_at       timestamptz not null,
  primary key (customer_number, email)
);

create index recent_account_of_person on recent_account (email, opened_at desc);
