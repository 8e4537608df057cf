-- after: data
-- Staff of the vendor, whose roles hold on every account. Every writer announces its changes (server/identity/access-changes.queries.ts).
create table staff_role (
  email      text not null check (email = lower(email collate "C")),
  role       text not null check (role in ('busops', 'support', 'sales', 'admin')),
  granted_by text not null,
  granted_at timestamptz not null default now(),
  changed_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (email, role)
);
create index staff_role_by_change on staff_role (changed_at, role collate "C", email collate "C");

create trigger staff_role_change_is_noted before update on staff_role for each row
  when ((old.email, old.role)
        is distinct from (new.email, new.role))
  execute function note_change();
