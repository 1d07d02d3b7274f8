-- Why an import ended before the end of its file, and how many rows in a row could not be read when it last stopped reading.
alter table imports
  add column reason text,
  add column unreadable_rows integer not null default 0;
