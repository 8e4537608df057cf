-- Limits on elastic units, and which products somebody may start. Accounts that are there have none.

alter table elastic_denial add column limit_id text collate "C";
alter table elastic_denial add column limit_text text;

-- What may be used of elastic units, by whom and when. A name that is null stands for everybody else, or for a part that the subject
-- does not have.
create table elastic_limit (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  limit_id        text collate "C" not null check (limit_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  subject         text collate "C" not null check (subject in
                    ('account', 'user', 'project', 'product', 'user+project', 'user+product', 'project+product')),
  user_name       text collate "C" check (user_name is null or user_name <> '' and subject like '%user%'),
  -- names are compared without case
  user_key        text collate "C" generated always as (lower(user_name)) stored,
  project         text collate "C" check (project is null or project <> '' and subject like '%project%'),
  product         text collate "C" check (product is null or product <> '' and subject like '%product%'),
  period          text collate "C" not null check (period in ('day', 'month', 'all')),
  currency        text collate "C" not null check (currency <> ''),
  warn_at         numeric(14, 2) check (warn_at >= 0),
  refuse_at       numeric(14, 2) check (refuse_at > 0),
  from_day        date,
  to_day          date,
  changed_at      timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (customer_number, limit_id),
  constraint limit_has_an_amount check (coalesce(warn_at, refuse_at) is not null),
  constraint limit_warns_first check (warn_at <= refuse_at),
  constraint limit_has_days check (from_day <= to_day)
);
create index elastic_limit_by_change on elastic_limit (changed_at, customer_number, limit_id);

create trigger elastic_limit_change_is_noted before update on elastic_limit for each row
  when ((old.customer_number, old.limit_id, old.subject, old.user_name, old.project, old.product, old.period, old.currency,
         old.warn_at, old.refuse_at, old.from_day, old.to_day)
        is distinct from (new.customer_number, new.limit_id, new.subject, new.user_name, new.project, new.product, new.period,
         new.currency, new.warn_at, new.refuse_at, new.from_day, new.to_day))
  execute function note_change();
create trigger elastic_limit_removal_is_noted after delete on elastic_limit
  for each row execute function note_removal('limits', 'customer_number', 'limit_id');

-- Which products somebody may start. The empty user is everybody else.
create table elastic_product_rule (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  user_key        text collate "C" not null check (user_key = lower(user_key)),
  user_name       text collate "C" not null,
  kind            text collate "C" not null check (kind in ('allow', 'deny')),
  products        text[] not null check (cardinality(products) > 0),
  primary key (customer_number, user_key)
);

-- Accounts that have limits. Their starts wait for each other, and a start knows that before it reads a table of customers.
create table limited_account (
  customer_number text collate "C" primary key check (customer_number ~ '^[A-Za-z0-9-]{1,20}$')
);

-- Who was told what about a limit in a period: administrators by email, webhooks by an event.
create table elastic_limit_told (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  limit_id        text collate "C" not null,
  told            text collate "C" not null check (told in ('warned', 'reached')),
  user_key        text collate "C" not null,
  project         text collate "C" not null,
  product         text collate "C" not null,
  period_from     date not null,
  told_at         timestamptz(3) not null,
  primary key (customer_number, limit_id, told, user_key, project, product, period_from)
);

-- The kinds of subjects that an account has limits of: their use is summed for as long as they are here.
create table usage_limited (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  subject         text collate "C" not null check (subject in
                    ('account', 'user', 'project', 'product', 'user+project', 'user+product', 'project+product')),
  primary key (customer_number, subject)
);

-- What subjects of limits have used, each on one run of rows, so that the start of a session reads no more than its own. Parts that the
-- subject does not have are empty, and so is the project of usage without one.
create table usage_limited_day (
  customer_number text collate "C" not null,
  subject         text collate "C" not null,
  user_key        text collate "C" not null,
  project         text collate "C" not null,
  product         text collate "C" not null,
  currency        text collate "C" not null,
  day             date not null,
  charge          numeric(16, 2) not null,
  primary key (customer_number, subject, user_key, project, product, currency, day),
  check (length(customer_number) between 1 and 20
    and translate(customer_number, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '')
) with (fillfactor = 70);
create index usage_limited_by_day on usage_limited_day (customer_number, subject, day);

create or replace function add_to_usage_days(customer text, ends timestamptz[], activation_ids text[], products text[],
                                  users text[], projects text[], hosts text[], currencies text[], charges numeric[],
                                  session_hours numeric[]) returns void
language plpgsql as $$
declare
  zone     text;
  days     date[];
  subjects text[];
begin
  select a.time_zone into strict zone from account a where a.customer_number = customer;
  days := array(select (e.ends_at at time zone zone)::date from unnest(ends) with ordinality as e (ends_at, n) order by e.n);
  projects := array(select coalesce(p.project, '') from unnest(projects) with ordinality as p (project, n) order by p.n);
  insert into usage_user_day as kept (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.user_name, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, users, currencies, charges, session_hours) as s (day, activation_id, user_name, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, user_name, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_host_day as kept (customer_number, day, activation_id, host, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.host, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, hosts, currencies, charges, session_hours) as s (day, activation_id, host, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, host, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_project_day as kept (customer_number, day, activation_id, project, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.project, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, projects, currencies, charges, session_hours) as s (day, activation_id, project, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, project, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_total as kept (customer_number, activation_id, charge, hours, transactions)
  select customer, s.activation_id, sum(s.charge), sum(s.hours), count(*)
    from unnest(activation_ids, charges, session_hours) as s (activation_id, charge, hours)
   group by 2
  on conflict (customer_number, activation_id) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  insert into usage_day as kept (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.product, s.currency, sum(s.charge), sum(s.hours), count(*)
    from unnest(days, activation_ids, products, currencies, charges, session_hours) as s (day, activation_id, product, currency, charge, hours)
   group by 2, 3, 4, 5
  on conflict (customer_number, day, activation_id, product, currency) do update
     set charge = kept.charge + excluded.charge,
         hours = kept.hours + excluded.hours,
         transactions = kept.transactions + excluded.transactions;
  subjects := array(select l.subject from usage_limited l where l.customer_number = customer);
  if cardinality(subjects) > 0 then
    insert into usage_limited_day as kept (customer_number, subject, user_key, project, product, currency, day, charge)
    select customer, l.subject,
           case when l.subject like '%user%' then lower(s.user_name collate "C") else '' end,
           case when l.subject like '%project%' then s.project else '' end,
           case when l.subject like '%product%' then s.product else '' end,
           s.currency, s.day, sum(s.charge)
      from unnest(subjects) as l (subject)
     cross join unnest(users, projects, products, currencies, days, charges) as s (user_name, project, product, currency, day, charge)
     group by 2, 3, 4, 5, 6, 7
    on conflict (customer_number, subject, user_key, project, product, currency, day) do update
       set charge = kept.charge + excluded.charge;
  end if;
end $$;

create trigger usage_limited_days_follow_booking before insert or update or delete on usage_limited_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();
create trigger usage_limited_days_are_not_truncated before truncate on usage_limited_day
  for each statement when (pg_trigger_depth() = 0) execute function refuse_outside_booking();

-- The first limit of a kind of subject sums what was used so far: of one user, project or product, and of the account, from the other
-- sums; of two of them from the rows, so that archived months do not count there.
create function sum_limited_usage() returns trigger language plpgsql as $$
begin
  perform lock_accounts(array[new.customer_number]);
  if new.subject in ('account', 'product') then
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject, '', '', case when new.subject = 'product' then d.product else '' end, d.currency, d.day,
           sum(d.charge)
      from usage_day d where d.customer_number = new.customer_number group by 5, 6, 7;
  elsif new.subject = 'user' then
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject, lower(d.user_name), '', '', d.currency, d.day, sum(d.charge)
      from usage_user_day d where d.customer_number = new.customer_number group by 3, 6, 7;
  elsif new.subject = 'project' then
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject, '', d.project, '', d.currency, d.day, sum(d.charge)
      from usage_project_day d where d.customer_number = new.customer_number group by 4, 6, 7;
  else
    insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
    select new.customer_number, new.subject,
           case when new.subject like '%user%' then lower(u.user_name) else '' end,
           case when new.subject like '%project%' then coalesce(u.project, '') else '' end,
           case when new.subject like '%product%' then u.product else '' end,
           u.currency, (u.ends_at at time zone a.time_zone)::date, sum(u.charge)
      from account a
      join usage_transaction u on u.customer_number = new.customer_number and u.ends_at < 'infinity'
     where a.customer_number = new.customer_number
     group by 3, 4, 5, 6, 7;
  end if;
  return null;
end $$;
create trigger limited_usage_is_summed after insert on usage_limited
  for each row execute function sum_limited_usage();

create function drop_limited_usage() returns trigger language plpgsql as $$
begin
  delete from usage_limited_day d where d.customer_number = old.customer_number and d.subject = old.subject;
  return null;
end $$;
create trigger limited_usage_is_dropped after delete on usage_limited
  for each row execute function drop_limited_usage();

create or replace function rebuild_usage_sums(customer text) returns void language plpgsql as $$
declare
  step   constant interval := interval '30 days';
  first  timestamptz;
  last   timestamptz;
  booked record;
begin
  delete from usage_day d where d.customer_number = customer;
  delete from usage_user_day d where d.customer_number = customer;
  delete from usage_project_day d where d.customer_number = customer;
  delete from usage_host_day d where d.customer_number = customer;
  delete from usage_total t where t.customer_number = customer;
  delete from usage_limited_day l where l.customer_number = customer;
  insert into usage_day (customer_number, day, activation_id, product, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_day' group by 2, 3, 4, 5;
  insert into usage_user_day (customer_number, day, activation_id, user_name, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_user_day' group by 2, 3, 4, 5;
  insert into usage_project_day (customer_number, day, activation_id, project, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_project_day' group by 2, 3, 4, 5;
  insert into usage_host_day (customer_number, day, activation_id, host, currency, charge, hours, transactions)
  select customer, s.day, s.activation_id, s.name, s.currency, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_host_day' group by 2, 3, 4, 5;
  insert into usage_total (customer_number, activation_id, charge, hours, transactions)
  select customer, s.activation_id, sum(s.charge), sum(s.hours), sum(s.transactions)
    from archived_usage_sum s where s.customer_number = customer and s.sums = 'usage_day' group by 2;
  insert into usage_limited_day (customer_number, subject, user_key, project, product, currency, day, charge)
  select customer, l.subject,
         case when l.subject = 'user' then lower(s.name) else '' end,
         case when l.subject = 'project' then s.name else '' end,
         case when l.subject = 'product' then s.name else '' end,
         s.currency, s.day, sum(s.charge)
    from usage_limited l
    join archived_usage_sum s on s.customer_number = customer
     and s.sums = case l.subject when 'account' then 'usage_day' when 'product' then 'usage_day'
                                 when 'user' then 'usage_user_day' when 'project' then 'usage_project_day' end
   where l.customer_number = customer
   group by 2, 3, 4, 5, 6, 7;
  select min(u.ends_at), max(u.ends_at) into first, last
    from usage_transaction u where u.customer_number = customer and u.ends_at < 'infinity';
  while first <= last loop
    select array_agg(u.ends_at) as ends, array_agg(u.activation_id) as activation_ids, array_agg(u.product) as products,
           array_agg(u.user_name) as users, array_agg(u.project) as projects, array_agg(u.host) as hosts,
           array_agg(u.currency) as currencies, array_agg(u.charge) as charges, array_agg(u.hours) as hours
      into booked
      from usage_transaction u
     where u.customer_number = customer and u.ends_at >= first and u.ends_at < first + step;
    perform add_to_usage_days(customer, booked.ends, booked.activation_ids, booked.products, booked.users,
                              booked.projects, booked.hosts, booked.currencies, booked.charges, booked.hours);
    first := first + step;
  end loop;
end $$;
