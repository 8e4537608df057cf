-- The sums of usage are written by one statement for each table: on several nodes, one statement with all of them is sent to every node.
create or replace function add_to_usage_days(customer text, ends timestamptz[], activation_ids text[], products text[],
                                  users text[], projects text[], hosts text[], currencies text[], charges numeric[],
                                  session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone text;
  days date[];
begin
  select a.time_zone into strict zone from account a where a.customer_number = customer;
  days := array(select (e.ends_at at time zone zone)::date from unnest(ends) with ordinality as e (ends_at, n) order by e.n);
  projects := array(select coalesce(p.project, '') from unnest(projects) with ordinality as p (project, n) order by p.n);
  insert into usage_user_day as kept (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.user_name, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, users, currencies, charges, session_hours) as s (day, activation_id, user_name, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, user_name, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_host_day as kept (customer_number, day, activation_id, host, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.host, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, hosts, currencies, charges, session_hours) as s (day, activation_id, host, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, host, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_project_day as kept (customer_number, day, activation_id, project, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.project, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, projects, currencies, charges, session_hours) as s (day, activation_id, project, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, project, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_total as kept (customer_number, activation_id, charge, hours, transactions)
  select customer, s.activation_id, sum(s.charge), sum(s.hours), count(*)
    from unnest(activation_ids, charges, session_hours) as s (activation_id, charge, hours)
   group by 2
  on conflict (customer_number, activation_id) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_day as kept (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.product, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, products, currencies, charges, session_hours) as s (day, activation_id, product, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, product, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
end $$;
