-- Saving on the activations screen is a plan as well.
alter table host_plan drop constraint host_plan_action_check;
alter table host_plan add constraint host_plan_action_check
  check (action in ('REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN', 'SAVE'));
