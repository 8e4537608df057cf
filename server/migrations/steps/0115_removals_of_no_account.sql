-- Removals of records that belong to no account are noted by whoever deletes them: where the database is distributed, a trigger of
-- a table that every node has cannot write to a table of customers.
drop trigger product_removal_is_noted on product;
drop trigger elastic_rate_removal_is_noted on elastic_rate;
drop trigger fsa_price_removal_is_noted on fsa_price;
drop trigger staff_role_removal_is_noted on staff_role;
