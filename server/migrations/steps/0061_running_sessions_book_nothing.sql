-- As in 0051, but a statement that writes running sessions only, as every start of a session does, leaves out the locks and
-- sums of finished ones.
create or replace function book_usage() returns trigger language plpgsql as $$
declare
  is_finished constant boolean := exists (select from written w where isfinite(w.ends_at));
  booked      record;
  arrival     record;
begin
  if is_finished then
    perform lock_accounts(array(select distinct w.customer_number from written w where isfinite(w.ends_at)));
  end if;

  for arrival in
    select w.customer_number, w.server_id, max(w.arrived_at) as newest from written w group by 1, 2 order by 1, 2
  loop
    update elastic_server s set usage_arrived_at = greatest(s.usage_arrived_at, arrival.newest)
     where s.customer_number = arrival.customer_number and s.device_id = arrival.server_id;
    if not found then
      raise exception 'usage names a server that its account does not have' using errcode = 'foreign_key_violation';
    end if;
  end loop;

  if is_finished then
    for booked in
      select w.customer_number, array_agg(w.ends_at) as ends, array_agg(w.activation_id) as activation_ids,
             array_agg(w.product) as products, array_agg(w.user_name) as users, array_agg(w.project) as projects,
             array_agg(w.currency) as currencies, array_agg(w.charge) as charges, array_agg(w.hours) as hours
        from written w where isfinite(w.ends_at) group by 1 order by 1
    loop
      perform add_to_usage_days(booked.customer_number, booked.ends, booked.activation_ids, booked.products, booked.users,
                                booked.projects, booked.currencies, booked.charges, booked.hours);
    end loop;
  end if;
  return null;
end $$;
