-- Statements that an account gets by itself. A date is the last day that was handled; without one, that kind is off.
create table statement_schedule (
  customer_number customer_number primary key references account,
  weekly_through  date,
  monthly_through date,
  -- only those who are still contacts of the account get mail
  recipients      text[] not null,
  saved_by        text not null,
  saved_at        timestamptz(3) not null
);
