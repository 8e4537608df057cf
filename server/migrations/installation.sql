-- What the installation itself needs, and what the other files use.

-- "Contains" in searches, over any number of rows.
create extension if not exists pg_trgm;

-- A customer number is plain text in every table, of 1 to 20 letters, digits and hyphens: a shard is chosen by it, and a domain
-- type cannot choose one. It is compared and ordered by code points (collation "C") on every server alike, so that lists can walk
-- its indexes.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- Secrets that all processes of one installation share (list tokens …), made on first use.
create table installation_secret (
  name   text primary key,
  secret bytea not null
);

-- Which parts of the demo data this installation has, so that each is loaded once and later ones are topped up.
create table demo_part (
  name      text primary key,
  made_for  date not null,
  loaded_at timestamptz not null
);
