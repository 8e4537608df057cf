-- Sums of the day are updated with every batch: room on the page keeps the updated row there, and the index as it is.
alter table usage_day set (fillfactor = 70);
alter table usage_user_day set (fillfactor = 70);
alter table usage_project_day set (fillfactor = 70);
alter table usage_total set (fillfactor = 50);
