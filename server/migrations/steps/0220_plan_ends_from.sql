-- A plan can be about what ends from a day on; rows that exist are about everything up to their last day.
alter table renewal_plan add column ends_from date;
