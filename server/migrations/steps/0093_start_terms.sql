-- The portal remembers what decided on the last start of a session: credentials, rules, entitlements and rates. Whatever
-- changes one of them moves a version in the same transaction, and a start that relies on memory checks the version in the
-- statement that writes. The version is the transaction that moved it last. Bookings move nothing: balances are read.
create table elastic_terms (
  customer_number customer_number primary key references account,
  version         xid8 not null
);
create table catalog_version (
  is_only boolean primary key default true check (is_only),
  version xid8 not null
);
insert into catalog_version (version) values (pg_current_xact_id());

create function move_elastic_terms(customers text[]) returns void language sql as $$
  insert into elastic_terms as kept (customer_number, version)
  select distinct c, pg_current_xact_id() from unnest(customers) c order by 1
  on conflict (customer_number) do update set version = excluded.version where kept.version <> excluded.version
$$;

create function elastic_terms_of_rows_move() returns trigger language plpgsql as $$
begin
  perform move_elastic_terms(array(select distinct c.customer_number from changed c));
  return null;
end $$;
create function elastic_terms_of_entitlements_move() returns trigger language plpgsql as $$
begin
  if exists (select from changed c where c.kind = 'ELASTIC') then
    perform move_elastic_terms(array(select distinct c.customer_number from changed c where c.kind = 'ELASTIC'));
  end if;
  return null;
end $$;
create function elastic_terms_of_row_move() returns trigger language plpgsql as $$
begin
  perform move_elastic_terms(array[old.customer_number::text, new.customer_number::text]);
  return null;
end $$;

do $$
declare
  watched text;
begin
  foreach watched in array array['elastic_pin', 'elastic_username', 'elastic_ip_rule'] loop
    execute format('create trigger new_%1$s_moves_terms after insert on %1$I referencing new table as changed
      for each statement execute function elastic_terms_of_rows_move()', watched);
    execute format('create trigger changed_%1$s_moves_terms after update on %1$I referencing new table as changed
      for each statement execute function elastic_terms_of_rows_move()', watched);
    execute format('create trigger former_%1$s_moves_terms after update on %1$I referencing old table as changed
      for each statement execute function elastic_terms_of_rows_move()', watched);
    execute format('create trigger gone_%1$s_moves_terms after delete on %1$I referencing old table as changed
      for each statement execute function elastic_terms_of_rows_move()', watched);
  end loop;
end $$;

create trigger new_entitlement_moves_terms after insert on entitlement
  referencing new table as changed for each statement execute function elastic_terms_of_entitlements_move();
create trigger gone_entitlement_moves_terms after delete on entitlement
  referencing old table as changed for each statement execute function elastic_terms_of_entitlements_move();
-- Activations change entitlements all the time, but not these columns, and hardly ever those that are elastic.
create trigger changed_entitlement_moves_terms after update on entitlement for each row
  when ((old.kind = 'ELASTIC' or new.kind = 'ELASTIC')
        and (old.customer_number, old.activation_id, old.kind, old.state, old.is_manual, old.product_name, old.start_date,
             old.end_date, old.currency, old.rate_table_version, old.line_item_quantity, old.units_per_line)
            is distinct from
            (new.customer_number, new.activation_id, new.kind, new.state, new.is_manual, new.product_name, new.start_date,
             new.end_date, new.currency, new.rate_table_version, new.line_item_quantity, new.units_per_line))
  execute function elastic_terms_of_row_move();
create trigger changed_account_moves_terms after update on account for each row
  when ((old.export_control_status, old.time_zone) is distinct from (new.export_control_status, new.time_zone))
  execute function elastic_terms_of_row_move();
-- A server that changes its owner.
create trigger changed_device_owner_moves_terms after update on device_owner for each row
  execute function elastic_terms_of_row_move();

create function catalog_version_moves() returns trigger language plpgsql as $$
begin
  update catalog_version set version = pg_current_xact_id() where version <> pg_current_xact_id();
  return null;
end $$;
create trigger product_change_moves_version after insert or update or delete or truncate on product
  for each statement execute function catalog_version_moves();
create trigger rate_change_moves_version after insert or update or delete or truncate on elastic_rate
  for each statement execute function catalog_version_moves();
