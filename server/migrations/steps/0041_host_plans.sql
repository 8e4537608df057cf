-- A host that was deleted: it is listed no more. Its ledger and its files stay, and adding it again takes it up as it was.
alter table host add column removed_at timestamptz;

-- What is done to hosts as one plan: moved to another host, deactivated, renewed, or taken back from a lost one. A plan is
-- stored with all its steps; each is done in one transaction with the note that it is done.
create table host_plan (
  customer_number customer_number not null references account,
  plan_id         text collate "C" not null default gen_random_uuid()::text,
  action          text collate "C" not null check (action in ('REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN')),
  state           text collate "C" not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- the hosts, whose seats are meant, and why
  request         jsonb not null,
  requested_by    text not null,
  requested_at    timestamptz not null,
  -- who asked, from where: for the audit entries of the steps
  requested_from  jsonb not null,
  finished_at     timestamptz,
  failure_code    text collate "C",
  failure         text,
  primary key (customer_number, plan_id),
  check ((state in ('done', 'failed')) = (finished_at is not null)),
  check ((state = 'failed') = (failure is not null) and (failure is null) = (failure_code is null))
);
create index host_plan_unfinished on host_plan (requested_at) where finished_at is null;
create index host_plan_by_time on host_plan (customer_number, requested_at desc);

create table host_plan_step (
  customer_number customer_number not null,
  plan_id         text collate "C" not null,
  position        integer not null,
  step            jsonb not null,
  done_at         timestamptz,
  primary key (customer_number, plan_id, position),
  foreign key (customer_number, plan_id) references host_plan
);

-- Seats that an unfinished plan has returned and will activate again, or will activate first: nobody else may have them.
create table reserved_seats (
  customer_number customer_number not null,
  activation_id   text collate "C" not null,
  plan_id         text collate "C" not null,
  seats           integer not null check (seats >= 0),
  primary key (customer_number, activation_id, plan_id),
  foreign key (customer_number, activation_id) references entitlement
);
create index reserved_seats_by_plan on reserved_seats (plan_id);

-- Hosts that an unfinished plan changes: one plan at a time.
create table busy_host (
  customer_number customer_number not null,
  host_id_type    text collate "C" not null check (host_id_type in ('ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID')),
  machine_id      text collate "C" not null,
  plan_id         text collate "C" not null,
  primary key (customer_number, host_id_type, machine_id)
);
create index busy_host_by_plan on busy_host (plan_id);
