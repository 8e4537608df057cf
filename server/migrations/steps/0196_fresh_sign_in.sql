-- When the identity provider last asked a person for a password or the like (auth_time), and how long ago that may be.
alter table session add column authenticated_at timestamptz;
alter table sign_in_attempt add column max_age integer;
