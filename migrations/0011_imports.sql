-- Files of orders that merchants bring, and what became of their rows.

create table imports (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  filename text not null,
  size_bytes bigint not null default 0,
  is_dry_run boolean not null default false,
  -- receiving (nobody sees it yet), queued, running, completed, failed.
  status text not null,
  -- Rows of the file, and orders by what became of them.
  row_count integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  failed_count integer not null default 0,
  problem_count integer not null default 0,
  -- Columns of the file that mean nothing to us, as it names them.
  ignored_columns text[] not null default '{}',
  -- Where the next row begins; moved on in the transaction that writes the orders before it.
  position_bytes bigint not null default 0,
  position_row integer not null default 1,
  -- When somebody is to look at it: to go on with it, or to clear away what is left of it. Taking it moves this to the
  -- end of the lease, so that what a dying worker had taken becomes due again by itself. Null: nothing is left to do.
  due_at timestamptz,
  -- How often it was taken: a worker that was given up for dead and comes back is told apart by it.
  claim integer not null default 0,
  -- Times it was taken since something was last achieved.
  attempts smallint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (shop_id, id)
);
create index imports_due on imports (due_at) where due_at is not null;
create index imports_finished on imports (finished_at) where finished_at is not null;

-- The file itself, while it is needed: each chunk but the last has the same size, so that a place is found by division.
create table import_chunks (
  shop_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (shop_id, import_id, number),
  foreign key (shop_id, import_id) references imports (shop_id, id) on delete cascade
);
-- What was exported from a spreadsheet is read once or twice: packing it would cost more than it saves.
alter table import_chunks alter column bytes set storage external;

-- Names that the rows so far have taken, while the import runs: an order stands in a file once.
create table import_names (
  shop_id uuid not null,
  import_id uuid not null,
  -- order_number; in a dry run external_id as well, because there the orders do not tell.
  kind text not null,
  name text not null,
  row_number integer not null,
  primary key (shop_id, import_id, kind, name),
  foreign key (shop_id, import_id) references imports (shop_id, id) on delete cascade
);

-- The first problems that were found; more are only counted.
create table import_problems (
  shop_id uuid not null,
  import_id uuid not null,
  number integer not null,
  row_number integer not null,
  column_name text,
  value text,
  error_key text not null,
  message text not null,
  primary key (shop_id, import_id, number),
  foreign key (shop_id, import_id) references imports (shop_id, id) on delete cascade
);
