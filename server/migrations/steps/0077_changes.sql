-- When a record was last changed, through whatever door: the vendor's systems ask for what changed since. It is the time of
-- the clock at the writing, never the start of the transaction: what is written after a reader looked has a later time than
-- the reader saw (docs/decisions/0077-changed-since.md). Seats, usage and other things that the portal counts by itself change no record.
create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end $$;

alter table product add column changed_at timestamptz(3) not null default now();
alter table product alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index product_by_change on product (changed_at, part_number collate "C");
create trigger product_change_is_noted before update on product for each row
  when ((old.part_number, old.name, old.item_number, old.daemon, old.is_node_locked, old.feature_names)
        is distinct from (new.part_number, new.name, new.item_number, new.daemon, new.is_node_locked, new.feature_names))
  execute function note_change();

alter table elastic_rate add column changed_at timestamptz(3) not null default now();
alter table elastic_rate alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index elastic_rate_by_change on elastic_rate (changed_at, rate_table_version collate "C", part_number collate "C");
create trigger elastic_rate_change_is_noted before update on elastic_rate for each row
  when ((old.part_number, old.rate_table_version, old.units_per_hour)
        is distinct from (new.part_number, new.rate_table_version, new.units_per_hour))
  execute function note_change();

alter table fsa_price add column changed_at timestamptz(3) not null default now();
alter table fsa_price alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index fsa_price_by_change on fsa_price (changed_at, currency collate "C", part_number collate "C", days);
create trigger fsa_price_change_is_noted before update on fsa_price for each row
  when ((old.part_number, old.currency, old.days, old.price)
        is distinct from (new.part_number, new.currency, new.days, new.price))
  execute function note_change();

alter table account add column changed_at timestamptz(3) not null default now();
alter table account alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index account_by_change on account (changed_at, customer_number);
create trigger account_change_is_noted before update on account for each row
  when ((old.customer_number, old.name, old.org_type, old.export_control_status, old.is_access_disabled,
         old.support_email, old.time_zone)
        is distinct from (new.customer_number, new.name, new.org_type, new.export_control_status, new.is_access_disabled,
         new.support_email, new.time_zone))
  execute function note_change();

alter table contact add column changed_at timestamptz(3) not null default now();
alter table contact alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index contact_by_change on contact (changed_at, customer_number, email collate "C");
create trigger contact_change_is_noted before update on contact for each row
  when ((old.customer_number, old.email, old.role)
        is distinct from (new.customer_number, new.email, new.role))
  execute function note_change();

alter table account_grant add column changed_at timestamptz(3) not null default now();
alter table account_grant alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index account_grant_by_change on account_grant (changed_at, kind collate "C", customer_number, email collate "C");
create trigger account_grant_change_is_noted before update on account_grant for each row
  when ((old.customer_number, old.email, old.kind)
        is distinct from (new.customer_number, new.email, new.kind))
  execute function note_change();

alter table staff_role add column changed_at timestamptz(3) not null default now();
alter table staff_role alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index staff_role_by_change on staff_role (changed_at, role collate "C", email collate "C");
create trigger staff_role_change_is_noted before update on staff_role for each row
  when ((old.email, old.role)
        is distinct from (new.email, new.role))
  execute function note_change();

alter table entitlement add column changed_at timestamptz(3) not null default now();
alter table entitlement alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index entitlement_by_change on entitlement (changed_at, customer_number, activation_id);
create trigger entitlement_change_is_noted before update on entitlement for each row
  when ((old.customer_number, old.activation_id, old.entitlement_id, old.part_number, old.product_name,
         old.license_model, old.type, old.subtype, old.state, old.line_item_quantity, old.units_per_line,
         old.start_date, old.end_date, old.version_date, old.po_number, old.order_id, old.currency, old.price,
         old.rate_table_version, old.fsa_id, old.is_manual, old.requester_email, old.ordered_at,
         old.created_at)
        is distinct from (new.customer_number, new.activation_id, new.entitlement_id, new.part_number, new.product_name,
         new.license_model, new.type, new.subtype, new.state, new.line_item_quantity, new.units_per_line,
         new.start_date, new.end_date, new.version_date, new.po_number, new.order_id, new.currency, new.price,
         new.rate_table_version, new.fsa_id, new.is_manual, new.requester_email, new.ordered_at,
         new.created_at))
  execute function note_change();

alter table host add column changed_at timestamptz(3) not null default now();
alter table host alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index host_by_change on host (changed_at, customer_number, host_id_type, host_id);
create trigger host_change_is_noted before update on host for each row
  when ((old.customer_number, old.host_id_type, old.host_id, old.host_name, old.port, old.is_borrowable, old.added_at,
         old.removed_at)
        is distinct from (new.customer_number, new.host_id_type, new.host_id, new.host_name, new.port, new.is_borrowable, new.added_at,
         new.removed_at))
  execute function note_change();

alter table elastic_server add column changed_at timestamptz(3) not null default now();
alter table elastic_server alter column changed_at set default date_trunc('milliseconds', clock_timestamp());
create index elastic_server_by_change on elastic_server (changed_at, customer_number, device_id);
create trigger elastic_server_change_is_noted before update on elastic_server for each row
  when ((old.customer_number, old.device_id, old.alias)
        is distinct from (new.customer_number, new.device_id, new.alias))
  execute function note_change();
