-- Home counts what needs attention, on one account and over all accounts.
create index mail_undelivered on mail (customer_number) where state = 'failed' and deleted_at is null;
create index elastic_denial_newest on elastic_denial (denied_at, customer_number);
create index entitlement_ending on entitlement (ends_on, customer_number)
  where state = 'Deployed' and ends_on < 'infinity';
