-- Constraints get the names that they have in new installations, so that later steps can name them.
alter table background_task rename constraint usage_export_failure_check to background_task_failure_check;
alter table background_task rename constraint usage_export_requested_by_check to background_task_requested_by_check;
alter table background_task rename constraint usage_export_state_check to background_task_state_check;
alter table background_task rename constraint usage_export_customer_number_fkey to background_task_customer_number_fkey;
alter table mail rename constraint mail_check1 to mail_check;
alter table mail rename constraint mail_check2 to mail_check1;
