-- The screen of the audit log.
insert into feature (position, name, is_default, description) values
  (28, 'audit', true, 'Audit log: who did what, and checkpoints')
on conflict do nothing;
