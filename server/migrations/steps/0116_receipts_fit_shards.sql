-- Where the database is distributed, a duplicate of another node is reported as an internal error.
create or replace function claim_usage_receipts(customers text[], ids text[]) returns table (taken_customer text, taken_id text)
language plpgsql as $$
begin
  insert into usage_receipt (customer_number, id) select * from unnest(customers, ids);
exception when unique_violation or internal_error then
  return query
    with sent as materialized (
      select * from unnest(customers, ids) as s (customer_number, id)
    ), claimed as (
      insert into usage_receipt (customer_number, id) select s.customer_number, s.id from sent s
      on conflict do nothing returning customer_number, id
    )
    select s.customer_number, s.id from sent s
     where not exists (select 1 from claimed c where c.customer_number = s.customer_number and c.id = s.id);
end $$;
