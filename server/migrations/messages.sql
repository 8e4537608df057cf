-- after: accounts
-- Emails and service alerts.

-- Every email of the portal, for the account's email history. Delivery is the outbox's.
create table mail (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$') references account,
  id              text collate "C" not null default gen_random_uuid()::text
                  check (id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  queued_at       timestamptz not null,
  -- Stays the same at every attempt: a mail server that has seen it can tell a repetition. It contains the mail's own id, so it is
  -- unique in the whole portal without being claimed.
  message_id      text not null,
  recipients      text[] not null check (cardinality(recipients) > 0),
  copies          text[] not null default '{}',
  subject         text not null check (subject <> '' and subject !~ '[[:cntrl:]]'),
  body_html       text not null,
  body_text       text not null,
  state           text not null default 'queued' check (state in ('queued', 'sent', 'mailbox', 'failed')),
  attempts        integer not null default 0 check (attempts >= 0),
  delivered_at    timestamptz,
  -- what the mail server said when it would not take the mail, or not for everybody
  trouble         text not null default '',
  -- taken out of the history by somebody; the row stays, as the audit log's witness
  deleted_at      timestamptz,
  deleted_by      text,
  primary key (customer_number, id),
  unique (customer_number, message_id),
  check ((state in ('sent', 'mailbox')) = (delivered_at is not null)),
  check ((deleted_at is null) = (deleted_by is null))
);
create index mail_history on mail (customer_number, queued_at, id) where deleted_at is null;
-- Home counts what needs attention.
create index mail_undelivered on mail (customer_number) where state = 'failed' and deleted_at is null;

create table mail_attachment (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  mail_id         text collate "C" not null,
  position        integer not null check (position >= 1),
  name            text not null check (name <> '' and name !~ '[[:cntrl:]/\\]'),
  media_type      text not null check (media_type ~ '^[a-z]+/[a-z0-9.+-]+$'),
  content         bytea not null,
  primary key (customer_number, mail_id, position),
  foreign key (customer_number, mail_id) references mail
);

-- When the latest mails of a kind left for an address, by the person whose act caused them. The row is locked while the
-- next mail is decided, so that the limit also holds under concurrency. It applies to the whole portal: a person is
-- limited across accounts.
create table mail_brake (
  person    text collate "C" not null,
  kind      text collate "C" not null,
  recipient text collate "C" not null,
  -- In order. The last one can be in the future: a mail that is held back until then.
  sent_at   timestamptz(3)[] not null,
  latest_at timestamptz(3) not null,
  primary key (person, kind, recipient)
);
create index mail_brake_by_latest on mail_brake (latest_at);

-- Service alerts, for every account alike. Resolving keeps them; nothing deletes them.
create table alert (
  id          uuid primary key default gen_random_uuid(),
  category    text not null check (category in ('OK', 'INFO', 'WARNING', 'CRITICAL')),
  status      text not null default 'ACTIVE' check (status in ('ACTIVE', 'RESOLVED')),
  starts_at   timestamptz not null,
  expires_at  timestamptz,
  description text not null check (description <> ''),
  services    text[] not null check (cardinality(services) > 0),
  links       jsonb not null default '[]',
  -- rises with every change, so that an editor never overwrites what they have not seen
  revision    integer not null default 1,
  created_by  text not null,
  created_at  timestamptz not null,
  changed_at  timestamptz not null,
  -- A planned maintenance that is called off is resolved before it starts, and expires then.
  constraint alert_expires_after_start check (status = 'RESOLVED' or expires_at > starts_at)
);
create index alert_active on alert (starts_at desc) where status = 'ACTIVE';
create index alert_by_start on alert (starts_at desc, id);
