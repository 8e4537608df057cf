-- Whoever publishes, edits or resolves an alert, in whatever process: every open portal hears of it at the commit.
create function announce_alert() returns trigger language plpgsql as $$
begin
  perform pg_notify('alert', '');
  return null;
end $$;
create trigger alert_is_announced after insert or update or delete on alert
  for each statement execute function announce_alert();

-- A session that ends takes its open streams with it, in every process.
create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_end', encode(old.id_hash, 'hex'));
  return null;
end $$;
create trigger session_end_is_announced after delete on session
  for each row execute function announce_session_end();

-- A planned maintenance that is called off is resolved before it starts, and expires then.
alter table alert drop constraint alert_check;
alter table alert add constraint alert_expires_after_start check (status = 'RESOLVED' or expires_at > starts_at);
