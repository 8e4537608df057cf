-- Where usage is on shards, a month is so as well before it is attached: what is inserted is booked on the shard.
create or replace function create_usage_month(month timestamp) returns text language plpgsql as $$
declare
  partition constant text := 'usage_transaction_' || to_char(month, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtext('usage partitions'));
  if to_regclass(partition) is not null then
    return null;
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
  if to_regclass('pg_dist_partition') is not null then
    execute 'select create_distributed_table($1, ''customer_number'', colocate_with => ''usage_transaction'')
      from pg_dist_partition where logicalrelid = ''usage_transaction''::regclass' using partition;
  end if;
  return partition;
end $$;
