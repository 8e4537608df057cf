-- The optimization report has a flag like every other route, after the reports of web licenses.
update feature set position = position + 1 where position > 10;
insert into feature (position, name, is_default, description) values
  (11, 'optimization', true, 'Optimization: seats against their peak use');
