-- Forms send the revision that they have read, not the whole content. What exists has revision 0 until its next save.
create table saved_revision (
  customer_number text collate "C" not null check (customer_number ~ '^[A-Za-z0-9-]{1,20}$'),
  subject         text collate "C" not null,
  revision        integer not null,
  primary key (customer_number, subject)
);
