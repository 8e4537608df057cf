-- Every key of a customer's table begins with the customer number, so that the database can be sharded by customer. What
-- must be unique in the whole portal is claimed in a small portal-wide table first, in the same transaction.

create table activation_owner (
  activation_id   text collate "C" primary key,
  customer_number customer_number not null,
  unique (customer_number, activation_id)
);
insert into activation_owner (activation_id, customer_number) select activation_id, customer_number from entitlement;
alter table entitlement add constraint activation_id_is_claimed
  foreign key (customer_number, activation_id) references activation_owner (customer_number, activation_id);
drop index entitlement_by_activation;

create table device_owner (
  device_id       text collate "C" primary key,
  customer_number customer_number not null,
  unique (customer_number, device_id)
);
insert into device_owner (device_id, customer_number) select device_id, customer_number from elastic_server;
alter table elastic_server add constraint device_id_is_claimed
  foreign key (customer_number, device_id) references device_owner (customer_number, device_id);
drop index elastic_server_by_device;

-- It contains the mail's own id, so nothing has to be claimed.
alter table mail drop constraint mail_message_id_key, add unique (customer_number, message_id);

-- What concerns no account is logged under the empty customer number: a row without one would belong to no shard.
alter table audit_log
  drop constraint audit_log_pkey,
  alter column customer_number type text collate "C" using coalesce(customer_number, ''),
  alter column customer_number set default '',
  alter column customer_number set not null,
  add primary key (customer_number, id);

alter table table_preference
  drop constraint table_preference_pkey,
  add primary key (customer_number, email, table_name);
create index table_preference_by_person on table_preference (email, customer_number);
