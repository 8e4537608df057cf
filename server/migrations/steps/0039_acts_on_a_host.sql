-- The timeline of a host reads what was done to it.
create index audit_log_by_target on audit_log (customer_number, target, at desc) where target is not null;
