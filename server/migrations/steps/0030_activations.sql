-- Borrowable is a setting of the host: it decides whether borrowable licenses carry BORROW in the license file.
alter table host add column is_borrowable boolean not null default false;

-- The same ids of one type are the same machines, whatever their order within a triad. This is the id in a fixed order.
alter table host add column machine_id text collate "C" not null generated always as (
  case when host_id like '%,%' then
    least(split_part(host_id, ',', 1), split_part(host_id, ',', 2), split_part(host_id, ',', 3))
    || ',' ||
    greatest(
      least(split_part(host_id, ',', 1), split_part(host_id, ',', 2)),
      least(greatest(split_part(host_id, ',', 1), split_part(host_id, ',', 2)), split_part(host_id, ',', 3)))
    || ',' ||
    greatest(split_part(host_id, ',', 1), split_part(host_id, ',', 2), split_part(host_id, ',', 3))
  else host_id end) stored;
alter table host add constraint host_is_one_machine unique (customer_number, host_id_type, machine_id);

-- Customers that declared that they share a license server. The members of one group have the same group id. The same
-- machine can be in several groups of different customers, who know nothing of each other.
create table shared_server_member (
  customer_number customer_number not null references account,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  machine_id      text collate "C" not null,
  group_id        text collate "C" not null,
  added_at        timestamptz not null,
  added_by        text not null,
  primary key (customer_number, host_id_type, machine_id)
);
create index shared_server_member_by_group on shared_server_member (group_id);
