-- A request can be approved with another product. Rows that exist do not say so.
alter table license_request add column granted_product text;
