-- The orders of the screen that had no index yet, in the form of the others (0008).
create index usage_by_count   on usage_transaction (customer_number, product_count, started_at, transaction_number, ends_at);
create index usage_by_hours   on usage_transaction (customer_number, hours, started_at, transaction_number, ends_at);
create index usage_by_session on usage_transaction (customer_number, session_id, started_at, transaction_number, ends_at);
