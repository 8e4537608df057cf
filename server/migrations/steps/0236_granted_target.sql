-- A request can be approved for another user, license server or contract. Rows that exist do not say so.
alter table license_request add column granted_target_name text;
