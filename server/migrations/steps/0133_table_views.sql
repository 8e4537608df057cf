-- Views of tables that a person saved under a name. Shared ones are seen by everybody who sees the account.
create table table_view (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  view_id         uuid not null,
  email           text not null check (email = lower(email collate "C")),
  table_name      text not null,
  name            text not null check (length(name) between 1 and 60),
  is_shared       boolean not null,
  view            jsonb not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, view_id)
);
create unique index table_view_by_name on table_view (customer_number, email, table_name, lower(name));
