-- People are told apart by every letter of their address but for the case of ASCII letters (domain/settings/email-address.ts).
-- In the locale of the database, lower() also makes a "k" of the Kelvin sign; in "C" it folds ASCII letters only.
alter table account_grant
  drop constraint account_grant_email_check,
  add constraint account_grant_email_check check (email = lower(email collate "C"));
alter table background_task
  drop constraint usage_export_requested_by_check,
  add constraint usage_export_requested_by_check check (requested_by = lower(requested_by collate "C"));
alter table contact
  drop constraint contact_email_check,
  add constraint contact_email_check check (email = lower(email collate "C"));
alter table person
  drop constraint person_email_check,
  add constraint person_email_check check (email = lower(email collate "C"));
alter table person_feature
  drop constraint person_feature_email_check,
  add constraint person_feature_email_check check (email = lower(email collate "C"));
alter table session
  drop constraint session_email_check,
  add constraint session_email_check check (email = lower(email collate "C"));
alter table staff_role
  drop constraint staff_role_email_check,
  add constraint staff_role_email_check check (email = lower(email collate "C"));
alter table table_preference
  drop constraint table_preference_email_check,
  add constraint table_preference_email_check check (email = lower(email collate "C"));
