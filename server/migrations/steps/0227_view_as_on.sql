-- The account on which staff began to view the portal as a contact. Views that run have none: their end is logged on no account.
alter table session add column viewing_on text;
