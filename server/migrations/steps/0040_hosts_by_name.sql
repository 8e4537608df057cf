-- Hosts in the order of their names, of which a page takes the first few.
create index host_by_name on host (customer_number, host_name, host_id);
