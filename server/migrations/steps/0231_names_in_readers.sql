-- What readers of logs keep names users, also of accounts that show pseudonyms. It is dropped there: at most some last lines are not read.
update license_log l set state = (l.state || '{"held": [], "pending": null}') - 'runs'
  from license_use_settings s where s.customer_number = l.customer_number and s.has_pseudonyms and l.state <> '{}';
