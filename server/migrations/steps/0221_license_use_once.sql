-- Lines that several logs have count once, checkouts that lmstat no longer shows are ended, and sums of a large file are made
-- when a day is complete.
alter table license_report add column unsummed_from timestamp(0), add column unsummed_to timestamp(0);
alter table license_checkout add column is_repeated boolean not null default false, add column gone_at timestamp(0);
alter table license_denial add column is_repeated boolean not null default false;
create index license_checkout_out on license_checkout (customer_number, host_id, feature) where in_at = 'infinity';
