-- Every process remembers sessions, roles and standings. The database announces what changes them, so that they are forgotten.
-- A notification is delivered when its transaction commits, and equal ones of a transaction are delivered once.

create function announce_account_change() returns trigger language plpgsql as $$
declare
  numbers text[] := array(select distinct customer_number from changed limit 51);
begin
  if cardinality(numbers) > 50 then
    perform pg_notify('access_change', 'all');
  else
    perform pg_notify('access_change', 'account ' || number) from unnest(numbers) number;
  end if;
  return null;
end $$;

create trigger new_account_is_announced after insert on account
  referencing new table as changed for each statement execute function announce_account_change();
create trigger gone_account_is_announced after delete on account
  referencing old table as changed for each statement execute function announce_account_change();

create trigger new_contact_is_announced after insert on contact
  referencing new table as changed for each statement execute function announce_account_change();
create trigger changed_contact_is_announced after update on contact
  referencing new table as changed for each statement execute function announce_account_change();
create trigger former_contact_is_announced after update on contact
  referencing old table as changed for each statement execute function announce_account_change();
create trigger gone_contact_is_announced after delete on contact
  referencing old table as changed for each statement execute function announce_account_change();

create trigger new_grant_is_announced after insert on account_grant
  referencing new table as changed for each statement execute function announce_account_change();
create trigger changed_grant_is_announced after update on account_grant
  referencing new table as changed for each statement execute function announce_account_change();
create trigger former_grant_is_announced after update on account_grant
  referencing old table as changed for each statement execute function announce_account_change();
create trigger gone_grant_is_announced after delete on account_grant
  referencing old table as changed for each statement execute function announce_account_change();

create trigger new_entitlement_is_announced after insert on entitlement
  referencing new table as changed for each statement execute function announce_account_change();
create trigger gone_entitlement_is_announced after delete on entitlement
  referencing old table as changed for each statement execute function announce_account_change();

-- Most updates of these two say nothing about access: activated seats, names.
create function announce_account_of_row() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'account ' || old.customer_number);
  perform pg_notify('access_change', 'account ' || new.customer_number);
  return null;
end $$;
create trigger changed_account_is_announced after update on account for each row
  when ((old.customer_number, old.org_type, old.export_control_status, old.is_access_disabled, old.time_zone)
        is distinct from (new.customer_number, new.org_type, new.export_control_status, new.is_access_disabled, new.time_zone))
  execute function announce_account_of_row();
create trigger changed_entitlement_is_announced after update on entitlement for each row
  when ((old.customer_number, old.kind, old.state, old.is_manual, old.product_name)
        is distinct from (new.customer_number, new.kind, new.state, new.is_manual, new.product_name))
  execute function announce_account_of_row();

create function announce_person_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('access_change', 'person ' || old.email);
  end if;
  if tg_op <> 'DELETE' then
    perform pg_notify('access_change', 'person ' || new.email);
  end if;
  return null;
end $$;
create trigger staff_role_change_is_announced after insert or update or delete on staff_role
  for each row execute function announce_person_change();

-- Being seen is noted every minute and changes nothing.
create function announce_session_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'session ' || encode(old.id_hash, 'hex'));
  return null;
end $$;
create trigger changed_session_is_announced after update on session for each row
  when ((old.email, old.claim_roles, old.claim_roles_checked_at, old.expires_at)
        is distinct from (new.email, new.claim_roles, new.claim_roles_checked_at, new.expires_at))
  execute function announce_session_change();
create trigger gone_session_is_announced after delete on session
  for each row execute function announce_session_change();

-- A truncated table says nothing about its rows.
create function announce_any_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'all');
  return null;
end $$;
create trigger truncated_account_is_announced after truncate on account
  for each statement execute function announce_any_change();
create trigger truncated_contact_is_announced after truncate on contact
  for each statement execute function announce_any_change();
create trigger truncated_grant_is_announced after truncate on account_grant
  for each statement execute function announce_any_change();
create trigger truncated_entitlement_is_announced after truncate on entitlement
  for each statement execute function announce_any_change();
create trigger truncated_staff_role_is_announced after truncate on staff_role
  for each statement execute function announce_any_change();
create trigger truncated_session_is_announced after truncate on session
  for each statement execute function announce_any_change();
