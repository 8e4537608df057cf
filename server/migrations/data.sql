-- What the vendor's systems ask for: which records changed since they last asked (docs/decisions/0077-changed-since.md).

-- When a record was last changed, no matter how. It is the clock time of the write, never the start of the transaction:
-- a write after a reader's query has a later time than the reader saw. Seats, usage and other things that the portal
-- counts by itself change no record.
create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end $$;

-- Records that were removed, no matter how. A record that is removed again has the later time.
create table removed_record (
  -- Empty for a record of no account. Null could not choose a shard.
  customer_number text collate "C" not null,
  kind            text collate "C" not null,
  -- The id in the service API: the fields of the key, joined by colons.
  id              text collate "C" not null,
  removed_at      timestamptz(3) not null,
  primary key (customer_number, kind, id)
);
create index removed_record_by_time on removed_record (kind, removed_at, id, customer_number);

-- Of records of accounts; those of no account are noted by the code that deletes them (noteRemovals), because a trigger of a table that
-- every node has could not write to one of customers. Its arguments are the kind and the columns of the key in the order of the id.
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

-- Since when this database notes removals: of earlier ones nothing is known. It is no row, because a backup must not bring it
-- to another database.
do $$
begin
  execute format('create function removals_noted_since() returns timestamptz language sql stable as $f$ select %L::timestamptz $f$',
                 to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"Z"'));
end $$;
