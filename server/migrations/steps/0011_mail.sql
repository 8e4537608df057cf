-- Every mail of the portal: first the outbox from which it is sent, then the account's e-mail history for good.
create table mail (
  customer_number customer_number not null references account,
  id              text collate "C" not null default gen_random_uuid()::text
                  check (id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  queued_at       timestamptz not null,
  -- the same at every attempt: a mail server that has seen it can tell a repetition
  message_id      text not null unique,
  recipients      text[] not null check (cardinality(recipients) > 0),
  copies          text[] not null default '{}',
  subject         text not null check (subject <> '' and subject !~ '[[:cntrl:]]'),
  body_html       text not null,
  body_text       text not null,
  state           text not null default 'queued' check (state in ('queued', 'sent', 'mailbox', 'failed')),
  attempts        integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz,
  delivered_at    timestamptz,
  -- what the mail server said when it would not take the mail, or not for everybody
  trouble         text not null default '',
  -- taken out of the history by somebody; the row stays, as the audit log's witness
  deleted_at      timestamptz,
  deleted_by      text,
  primary key (customer_number, id),
  check ((state = 'queued') = (next_attempt_at is not null)),
  check ((state in ('sent', 'mailbox')) = (delivered_at is not null)),
  check ((deleted_at is null) = (deleted_by is null))
);
create index mail_history on mail (customer_number, queued_at, id) where deleted_at is null;
create index mail_due on mail (next_attempt_at) where state = 'queued';

create table mail_attachment (
  customer_number customer_number not null,
  mail_id         text collate "C" not null,
  position        integer not null check (position >= 1),
  name            text not null check (name <> '' and name !~ '[[:cntrl:]/\\]'),
  media_type      text not null check (media_type ~ '^[a-z]+/[a-z0-9.+-]+$'),
  content         bytea not null,
  primary key (customer_number, mail_id, position),
  foreign key (customer_number, mail_id) references mail
);
