-- Hours and cost are added up by currency without a look into the table.
drop index usage_by_currency;
create index usage_by_currency on usage_transaction
  (customer_number, currency, started_at, transaction_number, ends_at) include (hours, charge);
