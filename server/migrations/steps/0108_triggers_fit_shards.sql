-- Triggers that work on sharded tables too.

-- A trigger whose events include TRUNCATE does not reach the shards: each becomes two.
do $$
declare
  mixed record;
begin
  for mixed in
    select t.tgname as name, c.relname as table_name, pg_get_triggerdef(t.oid) as definition,
           case t.tgname
             when 'audit_log_is_append_only' then 'audit_log_is_not_truncated'
             when 'fulfillment_is_append_only' then 'fulfillment_is_not_truncated'
             when 'license_file_is_append_only' then 'license_file_is_not_truncated'
             when 'mailed_statement_is_frozen' then 'mailed_statement_is_not_truncated'
             when 'mailed_record_is_frozen' then 'mailed_record_is_not_truncated'
             when 'usage_is_never_deleted' then 'usage_is_not_truncated'
             when 'usage_partition_is_append_only' then 'usage_partition_is_not_truncated'
             when 'usage_days_follow_booking' then 'usage_days_are_not_truncated'
             when 'usage_users_follow_booking' then 'usage_users_are_not_truncated'
             when 'usage_projects_follow_booking' then 'usage_projects_are_not_truncated'
             when 'usage_hosts_follow_booking' then 'usage_hosts_are_not_truncated'
             when 'usage_totals_follow_booking' then 'usage_totals_are_not_truncated'
             when 'web_seat_never_changes' then 'web_seat_is_not_truncated'
           end as truncate_name
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
       and pg_get_triggerdef(t.oid) ~ ' OR TRUNCATE ON '
  loop
    execute format('drop trigger %I on %I', mixed.name, mixed.table_name);
    execute replace(mixed.definition, ' OR TRUNCATE ON ', ' ON ');
    execute regexp_replace(mixed.definition, '^CREATE TRIGGER .* BEFORE .* OR TRUNCATE ON ',
      format('CREATE TRIGGER %I BEFORE TRUNCATE ON ', mixed.truncate_name));
  end loop;
end $$;

create or replace function guard_usage_partition(partition text) returns void language plpgsql as $$
begin
  execute format('create trigger usage_is_booked after insert on %I
    referencing new table as written for each statement execute function book_usage()', partition);
  execute format('create trigger usage_partition_is_append_only before update or delete on %I
    for each statement execute function refuse_change()', partition);
  execute format('create trigger usage_partition_is_not_truncated before truncate on %I
    for each statement execute function refuse_change()', partition);
end $$;

-- A shard's trigger cannot notify. Whoever writes these tables announces it (server/db/access-changes.queries.ts).
drop trigger new_account_is_announced on account;
drop trigger changed_account_is_announced on account;
drop trigger gone_account_is_announced on account;
drop trigger truncated_account_is_announced on account;
drop trigger new_contact_is_announced on contact;
drop trigger changed_contact_is_announced on contact;
drop trigger former_contact_is_announced on contact;
drop trigger gone_contact_is_announced on contact;
drop trigger truncated_contact_is_announced on contact;
drop trigger new_grant_is_announced on account_grant;
drop trigger changed_grant_is_announced on account_grant;
drop trigger former_grant_is_announced on account_grant;
drop trigger gone_grant_is_announced on account_grant;
drop trigger truncated_grant_is_announced on account_grant;
drop trigger new_entitlement_is_announced on entitlement;
drop trigger changed_entitlement_is_announced on entitlement;
drop trigger gone_entitlement_is_announced on entitlement;
drop trigger truncated_entitlement_is_announced on entitlement;
drop function announce_account_change();
drop function announce_account_of_row();

-- Nobody truncates these, and what is remembered has an age limit.
drop trigger truncated_session_is_announced on session;
drop trigger truncated_service_key_is_announced on service_key;
drop trigger truncated_staff_role_is_announced on staff_role;
drop function announce_any_change();

-- One trigger for the end of a session, which was announced by two.
drop trigger gone_session_is_announced on session;
create or replace function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_change', 'session ' || encode(old.id_hash, 'hex'));
  perform pg_notify('session_end', encode(old.id_hash, 'hex'));
  return null;
end $$;

-- Drafts follow their contract without ON UPDATE CASCADE, which sharded tables do not have.
alter table fsa_draft drop constraint fsa_draft_customer_number_fsa_id_fkey;
alter table fsa_draft add constraint fsa_draft_customer_number_fsa_id_fkey
  foreign key (customer_number, fsa_id) references fsa_contract on delete cascade deferrable initially deferred;
create or replace function keep_fsa_contract() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.kind = 'FSA' then
    insert into fsa_contract as c (customer_number, fsa_id, activation_id, currency, price)
    values (new.customer_number, new.entitlement_id, new.activation_id, new.currency, coalesce(new.price, 0))
    on conflict (customer_number, activation_id)
      do update set fsa_id = excluded.fsa_id, currency = excluded.currency, price = excluded.price;
    -- Drafts follow the contract; their reference to it is checked at the end of the transaction.
    if tg_op = 'UPDATE' and old.entitlement_id <> new.entitlement_id then
      update fsa_draft d set fsa_id = new.entitlement_id
       where d.customer_number = new.customer_number and d.fsa_id = old.entitlement_id;
    end if;
  end if;
  if tg_op <> 'INSERT' and old.subtype = 'FSA' and old.fsa_id is not null and old.state = 'Deployed' then
    perform draw_on_contract(old.customer_number, old.fsa_id, old.currency, -coalesce(old.price, 0));
  end if;
  if tg_op <> 'DELETE' and new.subtype = 'FSA' and new.fsa_id is not null and new.state = 'Deployed' then
    perform draw_on_contract(new.customer_number, new.fsa_id, new.currency, coalesce(new.price, 0));
  end if;
  return null;
end $$;

-- They did not know the column "continues", which is newer.
drop trigger usage_changes_by_its_end on usage_transaction;
create trigger usage_changes_by_its_end before update of
    customer_number, transaction_number, server_id, session_id, started_at, product, product_line, product_version, product_count,
    feature, feature_number, feature_count, user_name, host, process_id, project, cloud_job_id, internal_ip, external_ip,
    consumer_id, acquisition, rate_table_version, currency, corrects, corrected_session_id, continues on usage_transaction
  for each statement execute function refuse_change();
drop trigger usage_changes_by_heartbeat on usage_transaction_running;
create trigger usage_changes_by_heartbeat before update of
    customer_number, transaction_number, server_id, session_id, session_status, started_at, ends_at, product, product_line,
    product_version, product_count, feature, feature_number, feature_count, user_name, host, process_id, project, cloud_job_id,
    internal_ip, external_ip, consumer_id, acquisition, rate_table_version, activation_id, charge, currency, corrects, arrived_at,
    corrected_session_id, units_per_hour, continues on usage_transaction_running
  for each statement execute function refuse_change();
