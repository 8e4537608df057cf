-- Staff see the portal as a contact sees it, read-only.
alter table session add column viewing_as text check (viewing_as = lower(viewing_as collate "C"));
