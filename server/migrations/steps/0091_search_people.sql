-- Staff search over all accounts by the beginning of any email address on an account.
create index account_grant_by_address on account_grant (email collate "C", customer_number, kind);
create index web_user_by_address on web_user (email, customer_number);
create index account_by_support_address on account ((lower(support_email) collate "C"), customer_number)
  where support_email <> '';
