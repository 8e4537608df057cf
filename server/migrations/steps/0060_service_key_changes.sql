-- Processes remember service keys as they remember sessions (0027), and forget a key whose row changes. The last use is
-- saved every minute and changes nothing.
create function announce_service_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'key ' || old.id);
  return null;
end $$;
create trigger changed_service_key_is_announced after update on service_key for each row
  when ((old.id, old.name, old.scopes, old.secret_hash, old.expires_at, old.revoked_at)
        is distinct from (new.id, new.name, new.scopes, new.secret_hash, new.expires_at, new.revoked_at))
  execute function announce_service_key_change();
create trigger gone_service_key_is_announced after delete on service_key
  for each row execute function announce_service_key_change();
create trigger truncated_service_key_is_announced after truncate on service_key
  for each statement execute function announce_any_change();
