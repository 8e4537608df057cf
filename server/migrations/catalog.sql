-- after: data
-- Products, and what they cost.
create table product (
  part_number     text primary key,
  name            text not null unique,
  item_number     text not null unique,
  daemon          text not null check (daemon in ('ansyslmd', 'ansoftd', 'fluentd', 'apacheda', 'sequenced')),
  is_node_locked  boolean not null default false,
  feature_names   text[] not null check (cardinality(feature_names) > 0),
  -- How often something changed that license files are made from: a host with seats of the product then needs a new file
  -- (docs/decisions/0030-what-a-license-file-is-made-from.md).
  license_changes integer not null default 0,
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create index product_by_change on product (changed_at, part_number collate "C");

create function count_license_change() returns trigger language plpgsql as $$
begin
  new.license_changes := old.license_changes + 1;
  return new;
end $$;
create trigger product_license_change_is_counted before update on product for each row
  when ((old.daemon, old.is_node_locked, old.feature_names) is distinct from (new.daemon, new.is_node_locked, new.feature_names))
  execute function count_license_change();
create trigger product_change_is_noted before update on product for each row
  when ((old.part_number, old.name, old.item_number, old.daemon, old.is_node_locked, old.feature_names)
        is distinct from (new.part_number, new.name, new.item_number, new.daemon, new.is_node_locked, new.feature_names))
  execute function note_change();

-- Units that one hour of one seat costs, by rate table.
create table elastic_rate (
  part_number        text not null references product,
  rate_table_version text not null,
  units_per_hour     numeric(12, 4) not null check (units_per_hour > 0),
  changed_at         timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (part_number, rate_table_version)
);
create index elastic_rate_by_change on elastic_rate (changed_at, rate_table_version collate "C", part_number collate "C");

create trigger elastic_rate_change_is_noted before update on elastic_rate for each row
  when ((old.part_number, old.rate_table_version, old.units_per_hour)
        is distinct from (new.part_number, new.rate_table_version, new.units_per_hour))
  execute function note_change();

-- What an FSA order line costs for a period; 365 stands for "1 year".
create table fsa_price (
  part_number text not null references product,
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  days        integer not null check (days in (7, 30, 60, 90, 180, 365)),
  price       numeric(14, 2) not null check (price > 0),
  changed_at  timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (part_number, currency, days)
);
create index fsa_price_by_change on fsa_price (changed_at, currency collate "C", part_number collate "C", days);

create trigger fsa_price_change_is_noted before update on fsa_price for each row
  when ((old.part_number, old.currency, old.days, old.price)
        is distinct from (new.part_number, new.currency, new.days, new.price))
  execute function note_change();
