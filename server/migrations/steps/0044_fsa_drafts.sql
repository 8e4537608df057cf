-- Orders that somebody prepared and nobody has placed yet. The lines are kept as the order call takes them.
create table fsa_draft (
  customer_number customer_number not null,
  draft_id        text collate "C" not null default gen_random_uuid()::text,
  fsa_id          text collate "C" not null,
  name            text not null,
  lines           jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- counts the saves, so that nobody overwrites or orders what they have not seen
  revision        integer not null default 1,
  saved_by        text not null,
  saved_at        timestamptz(3) not null,
  primary key (customer_number, draft_id),
  foreign key (customer_number, fsa_id) references fsa_contract on update cascade on delete cascade
);
