-- When somebody entered the right password of an account and then wrong codes, last, and from which network: shown to the person
-- alone, until they dismiss it or their password changes.
alter table people
  add column password_warning_at timestamptz,
  add column password_warning_network text;
