-- The customer number is checked for every row of usage, once in the table and once in its receipt. Comparing characters
-- takes a quarter of the time of the regular expression (0001), and takes the same values: '^[A-Za-z0-9-]{1,20}$'. Stored
-- values have passed that one, so they are not read again. Digits come first because they are found first.
alter domain customer_number add constraint customer_number_characters check (
  length(value) between 1 and 20
  and translate(value, '0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '') not valid;
alter domain customer_number drop constraint customer_number_check;
