-- What people mail of the statement and usage screens is kept with the mailed statements. Only the two series freeze a period.
alter table mailed_statement drop constraint mailed_statement_kind_check;
alter table mailed_statement add constraint mailed_statement_kind_check
  check (kind in ('weekly', 'monthly', 'statement', 'chargeback', 'forecast', 'usage'));
alter table mailed_statement drop constraint mailed_statement_customer_number_kind_period_to_activation__key;
create unique index mailed_statement_of_series on mailed_statement (customer_number, kind, period_to, activation_id)
  where kind in ('weekly', 'monthly');
