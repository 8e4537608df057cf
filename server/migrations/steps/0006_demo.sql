-- Which parts of the demo data this installation has, so that each is loaded once and later ones are topped up.
create table demo_part (
  name      text primary key,
  made_for  date not null,
  loaded_at timestamptz not null
);
