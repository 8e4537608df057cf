-- Sessions are started from what the database has (docs/decisions/0051): nothing checks these versions any more.
drop trigger product_change_moves_version on product;
drop trigger rate_change_moves_version on elastic_rate;
drop trigger new_entitlement_moves_terms on entitlement;
drop trigger gone_entitlement_moves_terms on entitlement;
drop trigger changed_entitlement_moves_terms on entitlement;
drop trigger changed_account_moves_terms on account;
drop trigger changed_device_owner_moves_terms on device_owner;
do $$
declare
  watched text;
  change text;
begin
  foreach watched in array array['elastic_pin', 'elastic_username', 'elastic_ip_rule'] loop
    foreach change in array array['new', 'changed', 'former', 'gone'] loop
      execute format('drop trigger %1$I on %2$I', change || '_' || watched || '_moves_terms', watched);
    end loop;
  end loop;
end $$;

drop function catalog_version_moves();
drop function elastic_terms_of_row_move();
drop function elastic_terms_of_entitlements_move();
drop function elastic_terms_of_rows_move();
drop function move_elastic_terms(text[]);
drop table catalog_version;
drop table elastic_terms;
