-- When staff last sent a failed mail again; delivery is then tried for as long as from the first time.
alter table mail add column resent_at timestamptz check (resent_at >= queued_at);
