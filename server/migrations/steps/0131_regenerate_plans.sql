-- A plan can generate the license files of all hosts whose file is out of date.
alter table host_plan drop constraint host_plan_action_check;
alter table host_plan add constraint host_plan_action_check
  check (action in ('REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN', 'REGENERATE', 'SAVE'));
