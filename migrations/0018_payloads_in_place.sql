-- Payloads are compressed and stay in their row, which is written and read once: set apart, as is usual from 2 KB on, each
-- took two more rows in a table of its own and their entries in its index.
alter table notifications alter column body set storage main;
