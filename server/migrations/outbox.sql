-- The transactional outbox: messages are written in the transaction that causes them and delivered later, by kind
-- (lane). A message need not belong to an account. Delivered messages are deleted.
create table outbox_message (
  id              uuid primary key,
  lane            text not null check (lane ~ '^[a-z-]{1,50}$'),
  payload         jsonb not null,
  state           text not null default 'queued' check (state in ('queued', 'failed')),
  attempts        integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz,
  queued_at       timestamptz not null,
  -- when staff last sent it again after it had failed; delivery is then tried for as long as from the first time
  resent_at       timestamptz check (resent_at >= queued_at),
  -- what went wrong at the last attempt
  trouble         text not null default '',
  check ((state = 'queued') = (next_attempt_at is not null))
);
create index outbox_message_due on outbox_message (lane, next_attempt_at) where state = 'queued';
create index outbox_message_failed on outbox_message (queued_at, id) where state = 'failed';
