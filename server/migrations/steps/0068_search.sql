-- Staff search over all accounts by the beginning of an id, an order or an email address: each has an index in the order of
-- its characters. Activation ids and elastic server ids are found by their portal-wide claims.
create index entitlement_by_order on entitlement (order_id collate "C") where order_id <> '';
create index entitlement_by_purchase_order on entitlement (po_number) where po_number <> '';
create index entitlement_by_id on entitlement (entitlement_id);
create index host_by_id on host (host_id) where removed_at is null;
-- The second and third id of a triad.
create index host_by_triad on host using gin (string_to_array(host_id, ',')) where host_id like '%,%' and removed_at is null;
create index contact_by_address on contact (email collate "C", customer_number);
