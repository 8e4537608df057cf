-- How often something changed that license files are made from: a host with seats of the entitlement then needs a new file
-- (docs/decisions/0030-what-a-license-file-is-made-from.md). Files that are there already are taken to fit.
alter table entitlement add column license_changes integer not null default 0;

create function count_license_change() returns trigger language plpgsql as $$
begin
  new.license_changes := old.license_changes + 1;
  return new;
end $$;

create trigger entitlement_license_change_is_counted before update on entitlement for each row
  when ((old.part_number, old.product_name, old.license_model, old.start_date, old.end_date, old.version_date)
        is distinct from (new.part_number, new.product_name, new.license_model, new.start_date, new.end_date, new.version_date))
  execute function count_license_change();
