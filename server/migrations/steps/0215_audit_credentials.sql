-- Which token or service key acted. Rows that exist have none, and seals of the previous release do not cover it.
alter table audit_log add column credential text;
alter table audit_seal add column form smallint not null default 1;

-- No statement reads the log of a person on all accounts, and every write paid for this index.
drop index audit_log_by_person;
