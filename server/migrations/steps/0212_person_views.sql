-- Named views of tables that are shown without an account. Nobody else sees them.
create table person_view (
  email      text not null check (email = lower(email collate "C")),
  view_id    uuid not null,
  table_name text not null,
  name       text not null check (length(name) between 1 and 60),
  view       jsonb not null,
  saved_at   timestamptz(3) not null,
  primary key (email, view_id)
);
create unique index person_view_by_name on person_view (email, table_name, lower(name));
