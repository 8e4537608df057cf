create table product (
  part_number    text primary key,
  name           text not null unique,
  item_number    text not null unique,
  daemon         text not null check (daemon in ('ansyslmd', 'ansoftd', 'fluentd', 'apacheda', 'sequenced')),
  is_node_locked boolean not null default false,
  feature_names  text[] not null check (cardinality(feature_names) > 0)
);

-- Units that one hour of one seat costs, by rate table.
create table elastic_rate (
  part_number        text not null references product,
  rate_table_version text not null,
  units_per_hour     numeric(12, 4) not null check (units_per_hour > 0),
  primary key (part_number, rate_table_version)
);

-- What an FSA order line costs for a period; 365 stands for "1 year".
create table fsa_price (
  part_number text not null references product,
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  days        integer not null check (days in (7, 30, 60, 90, 180, 365)),
  price       numeric(14, 2) not null check (price > 0),
  primary key (part_number, currency, days)
);
