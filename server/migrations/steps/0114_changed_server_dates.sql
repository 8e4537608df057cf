-- A changed createdAt of an elastic license server is a change of its record.
drop trigger elastic_server_change_is_noted on elastic_server;
create trigger elastic_server_change_is_noted before update on elastic_server for each row
  when ((old.customer_number, old.device_id, old.alias, old.created_at)
        is distinct from (new.customer_number, new.device_id, new.alias, new.created_at))
  execute function note_change();
