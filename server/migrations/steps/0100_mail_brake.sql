-- When the latest mails of a kind left for an address, by the person whose act caused them. The row is locked while another one
-- is decided, so that the limit holds under concurrency too. It serves the whole portal: a person is limited across accounts.
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
