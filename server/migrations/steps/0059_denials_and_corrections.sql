-- The screen of refused session starts has a flag like every other route.
update feature set position = position + 1 where position > 12;
insert into feature (position, name, is_default, description) values
  (13, 'elastic-denials', true, 'Elastic denials: session starts that were refused');

-- Corrections name their original by the id that its sender gave it. The row keeps that id beside the number, so that
-- lists need no second look at all months.
alter table usage_transaction add column corrected_session_id text collate "C";
