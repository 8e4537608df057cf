-- What an export was asked for in one comparable form, so that the same request finds it again; and when the account's
-- newest usage had been received as the export began to read: as long as that is still so, the file is up to date.
alter table usage_export
  add column request_key bytea,
  add column usage_as_of timestamptz,
  add column failure text check (failure in ('no-space', 'person-quota', 'account-quota', 'error'));
update usage_export set failure = 'error' where state = 'failed';

-- What counts toward the quotas of a person, over all accounts.
create index usage_export_kept_by_person on usage_export (requested_by) where state in ('waiting', 'running', 'ready');
