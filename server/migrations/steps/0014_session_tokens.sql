-- What the identity provider handed over for a session, each encrypted: its ID token, which it wants to see again at
-- sign-out, and its refresh token, with which the roles of the person are asked for again.
create table session_token (
  id_hash       bytea primary key references session (id_hash) on delete cascade,
  subject       text not null,
  id_token      bytea not null,
  refresh_token bytea
);

alter table session
  -- null: the provider gave no refresh token, so the roles last as long as the session
  add column claim_roles_checked_at   timestamptz,
  -- set while a process asks for the roles: no other one does
  add column claim_roles_asking_until timestamptz,
  -- set when asking failed
  add column claim_roles_ask_again_at timestamptz;

-- Until now a value of the role claim that was missing in the map was taken as the name of a role.
delete from session where claim_roles <> '{}';
