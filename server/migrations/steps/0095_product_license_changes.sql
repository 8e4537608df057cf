-- How often something of a product changed that license files are made from, as entitlement.license_changes counts for
-- entitlements (docs/decisions/0030-what-a-license-file-is-made-from.md). Files that are there already are taken to fit.
alter table product add column license_changes integer not null default 0;

create trigger product_license_change_is_counted before update on product for each row
  when ((old.daemon, old.is_node_locked, old.feature_names) is distinct from (new.daemon, new.is_node_locked, new.feature_names))
  execute function count_license_change();
