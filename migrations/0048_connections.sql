-- Connected systems: what was heard of each, the last live check, and orders from before the connection.

create table shop_system_activity (
  shop_id uuid not null references shops (id) on delete cascade,
  system text not null,
  last_ping_at timestamptz,
  last_received_at timestamptz,
  primary key (shop_id, system)
);

-- The last check of each shop system, tracking provider and marketing system.
create table connection_checks (
  shop_id uuid not null references shops (id) on delete cascade,
  name text not null,
  result text not null,
  http_status smallint,
  facts jsonb not null default '{}',
  missing_permissions text[] not null default '{}',
  checked_at timestamptz not null,
  primary key (shop_id, name)
);

create table backfills (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  system text not null,
  days smallint not null,
  -- queued, running, waiting, completed, failed, cancelled.
  status text not null,
  -- Orders that were placed in this period.
  since timestamptz not null,
  until timestamptz not null,
  -- After which order to continue; moves in the transaction that writes the orders before it.
  position jsonb,
  total integer,
  read_count integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  problem_count integer not null default 0,
  waiting_until timestamptz,
  waiting_reason text,
  error_key text,
  error_message text,
  -- Consecutive requests that failed.
  failures smallint not null default 0,
  -- When a worker may claim it. A claim moves this to the end of its lease. Null: nothing remains to be done.
  due_at timestamptz,
  -- How often it was claimed: distinguishes a worker that lost its lease from the current one.
  claim integer not null default 0,
  -- Claims since the last progress.
  attempts smallint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index backfills_active on backfills (shop_id, system) where status in ('queued', 'running', 'waiting');
create index backfills_due on backfills (due_at) where due_at is not null;

create table backfill_problems (
  shop_id uuid not null,
  backfill_id uuid not null,
  number integer not null,
  order_reference text not null,
  error_key text not null,
  message text not null,
  primary key (shop_id, backfill_id, number),
  foreign key (shop_id, backfill_id) references backfills (shop_id, id) on delete cascade
);

-- Scans up to this time are recorded without notifications: they happened before the shipment was taken over.
alter table shipments add column quiet_until timestamptz;
