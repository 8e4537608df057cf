-- Service alerts, the same for every account. Resolving keeps them; nothing deletes them.
create table alert (
  id          uuid primary key default gen_random_uuid(),
  category    text not null check (category in ('OK', 'INFO', 'WARNING', 'CRITICAL')),
  status      text not null default 'ACTIVE' check (status in ('ACTIVE', 'RESOLVED')),
  starts_at   timestamptz not null,
  expires_at  timestamptz check (expires_at > starts_at),
  description text not null check (description <> ''),
  services    text[] not null check (cardinality(services) > 0),
  links       jsonb not null default '[]',
  -- rises with every change, so that an editor never overwrites what they have not seen
  revision    integer not null default 1,
  created_by  text not null,
  created_at  timestamptz not null,
  changed_at  timestamptz not null
);
create index alert_active on alert (starts_at desc) where status = 'ACTIVE';
create index alert_by_start on alert (starts_at desc, id);
