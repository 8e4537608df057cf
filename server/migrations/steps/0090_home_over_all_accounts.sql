-- Home of staff counts denied web checkouts over all accounts.
create index web_denial_newest on web_denial (denied_at, customer_number);
