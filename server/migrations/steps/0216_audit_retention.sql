-- The portal applies the retention every night, by a function of the owner.
-- After how many days entries are removed; no row keeps everything. Only the owner of the tables writes it.
create table audit_retention (
  is_only boolean primary key default true check (is_only),
  days    integer not null check (days > 0)
);

-- Where a chain can begin anew: the newest checkpoint up to which every row is older. Null if there is no row to remove.
create function removable_audit_end(customer text, older_than timestamptz) returns bigint language plpgsql stable as $$
begin
  return (
    select max(c.sequence) from audit_checkpoint c
     where c.customer_number = customer
       and c.sequence >= (select min(s.sequence) from audit_seal s where s.customer_number = customer)
       and c.sequence < coalesce((
             select min(s.sequence) from audit_seal s join audit_log l on l.customer_number = customer and l.id = s.audit_id
              where s.customer_number = customer and l.at >= older_than),
             (select h.sequence + 1 from audit_head h where h.customer_number = customer)));
end $$;

-- Removes the beginning of a chain that is older than the retention, and answers up to where and how many rows. Runs as the owner of
-- the tables: the portal's role may not delete there, and cannot change the retention.
create function remove_old_audit_rows(customer text, out up_to bigint, out removed bigint) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  up_to := (select removable_audit_end(customer, now() - make_interval(days => r.days)) from audit_retention r);
  removed := 0;
  if up_to is null then
    return;
  end if;
  -- On shards the nodes get settings only if they are told to; elsewhere this is an unknown name, which does no harm.
  set local citus.propagate_set_commands = 'local';
  set local portal.audit_retention = 'on';
  delete from audit_log l using audit_seal s
   where s.customer_number = customer and s.sequence <= up_to and l.customer_number = customer and l.id = s.audit_id;
  delete from audit_seal s where s.customer_number = customer and s.sequence <= up_to;
  get diagnostics removed = row_count;
  set local portal.audit_retention = 'off';
end $$;
