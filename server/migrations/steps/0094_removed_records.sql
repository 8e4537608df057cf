-- Records that were removed, through whatever door, for those who ask what changed since. The time is that of the clock at
-- the removal, as with `changed_at` (docs/decisions/0077-changed-since.md). A record that is removed again has the later time.
create table removed_record (
  -- Empty for a record of no account. Null could not choose a shard.
  customer_number text collate "C" not null,
  kind            text collate "C" not null,
  -- As the service API has it: the fields of the key, joined by colons.
  id              text collate "C" not null,
  removed_at      timestamptz(3) not null,
  primary key (customer_number, kind, id)
);
create index removed_record_by_time on removed_record (kind, removed_at, id, customer_number);

-- Its arguments are the kind and the columns of the key in the order of the id; an empty one is an empty part.
create function note_removal() returns trigger language plpgsql as $$
declare
  gone  jsonb := to_jsonb(old);
  parts text[] := '{}';
begin
  for at in 1 .. tg_nargs - 1 loop
    parts := parts || coalesce(gone ->> tg_argv[at], '');
  end loop;
  insert into removed_record (customer_number, kind, id, removed_at)
  values (coalesce(gone ->> 'customer_number', ''), tg_argv[0], array_to_string(parts, ':'),
          date_trunc('milliseconds', clock_timestamp()))
  on conflict (customer_number, kind, id) do update set removed_at = excluded.removed_at;
  return null;
end $$;

create trigger product_removal_is_noted after delete on product
  for each row execute function note_removal('products', 'part_number');
create trigger elastic_rate_removal_is_noted after delete on elastic_rate
  for each row execute function note_removal('rate-tables', 'rate_table_version', 'part_number');
create trigger fsa_price_removal_is_noted after delete on fsa_price
  for each row execute function note_removal('price-lists', 'currency', 'part_number', 'days');
create trigger contact_removal_is_noted after delete on contact
  for each row execute function note_removal('contacts', 'customer_number', 'email');
create trigger staff_role_removal_is_noted after delete on staff_role
  for each row execute function note_removal('roles', 'role', '', 'email');
create trigger account_grant_removal_is_noted after delete on account_grant
  for each row execute function note_removal('roles', 'kind', 'customer_number', 'email');
create trigger elastic_server_removal_is_noted after delete on elastic_server
  for each row execute function note_removal('elastic-servers', 'device_id');

-- What was removed before this database noted it is not known. The triggers are there, and nobody else can delete until they
-- are seen: every removal from now on is noted. It is no row, because a backup must not bring it to another database.
do $$
begin
  execute format('create function removals_noted_since() returns timestamptz language sql stable as $f$ select %L::timestamptz $f$',
                 to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"Z"'));
end $$;
