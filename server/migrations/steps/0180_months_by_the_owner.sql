-- The portal's role owns nothing: what needs ownership while the portal runs is done by functions of the owner.
create or replace function create_usage_month(month timestamp) returns text language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
  writer    record;
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  if to_regclass(partition) is not null then
    return null;
  end if;
  if exists (select 1 from usage_archive a where a.detached_at is not null and a.month >= create_usage_month.month) then
    raise exception 'usage of % is archived: nothing is booked there any more', to_char(month, 'YYYY-MM')
      using errcode = 'restrict_violation';
  end if;
  execute format('create table %I (like usage_transaction including defaults including generated)', partition);
  execute format('alter table %1$I
    add check (length(customer_number) between 1 and 20 and translate(customer_number, %2$L, %3$L) = %3$L),
    add check (isfinite(started_at)),
    add check (ends_at >= started_at),
    add check (isfinite(ends_at) = (charge is not null)),
    add check (charge is null or activation_id is not null),
    add check (charge >= 0 or corrects is not null),
    add check (corrects is null or charge <= 0),
    add check (product_count > 0),
    add check (feature_count > 0),
    add check (project <> %3$L),
    add check (cloud_job_id <> %3$L)', partition,
    '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '');
  perform guard_usage_partition(partition);
  execute format('create trigger usage_correction_fits before insert on %I
    for each row when (new.corrects is not null) execute function check_correction()', partition);
  for writer in
    select distinct a.grantee::regrole as role from pg_class c cross join aclexplode(c.relacl) a
     where c.oid = 'usage_transaction'::regclass and a.privilege_type = 'INSERT' and a.grantee not in (0, c.relowner)
  loop
    execute format('grant select, insert on %I to %s', partition, writer.role);
  end loop;
  if to_regclass('pg_dist_partition') is not null then
    execute 'select create_distributed_table($1, ''customer_number'', colocate_with => ''usage_transaction'')
      from pg_dist_partition where logicalrelid = ''usage_transaction''::regclass' using partition;
  end if;
  return partition;
end $$;

alter function attach_usage_month(timestamp) security definer set search_path = public, pg_temp;
alter function ensure_usage_partitions(timestamptz, timestamptz) security definer set search_path = public, pg_temp;

create function analyze_usage() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze usage_transaction;
end $$;
