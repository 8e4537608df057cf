-- Limits of a department or cost center have its name where limits of a user have the username. The checks only become wider: version 1.0.0 has
-- no limits and may serve meanwhile.
alter table elastic_limit drop constraint elastic_limit_subject_check;
alter table elastic_limit add constraint elastic_limit_subject_check check (subject in
  ('account', 'user', 'project', 'product', 'user+project', 'user+product', 'project+product', 'department', 'cost-center'));
alter table elastic_limit drop constraint elastic_limit_check;
alter table elastic_limit add constraint elastic_limit_check check (user_name is null or user_name <> '' and
  (subject like '%user%' or subject in ('department', 'cost-center')));
