-- What a person keeps of many accounts is read by person. On shards it is on the coordinator, where no account can be referred to.
alter table recent_account drop constraint recent_account_customer_number_fkey;
alter table table_preference drop constraint table_preference_customer_number_fkey;
