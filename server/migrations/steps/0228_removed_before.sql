-- Until when single checkouts and denials of a license server were removed. The next night's removal fills it in.
alter table license_report add column removed_before timestamp(0);
