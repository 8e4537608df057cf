-- Home of staff counts what ends soon over all accounts, each kind of entitlement apart.
drop index entitlement_ending;
create index entitlement_ending on entitlement (kind, ends_on, customer_number)
  where state = 'Deployed' and ends_on < 'infinity';
