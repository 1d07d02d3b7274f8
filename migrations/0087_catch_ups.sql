-- Orders that no webhook reported are found by reading recent ones again: one row per connected shop system.
create table shop_system_catch_ups (
  shop_id uuid not null references shops (id) on delete cascade,
  system text not null,
  -- When the connection began: orders before are not read. When its current credentials were set.
  began_at timestamptz not null,
  credentials_at timestamptz not null,
  -- Up to when everything was read; null before the end of the first run.
  caught_up_until timestamptz,
  caught_up_at timestamptz,
  -- The unfinished run, if any: its period, where it stopped and what it found.
  run jsonb,
  -- The last of our open orders that was read again; null: it begins with the newest.
  open_position jsonb,
  -- What the last run found, and its first problems with single orders.
  read_count integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  failed_count integer not null default 0,
  order_problems jsonb not null default '[]',
  -- The last run that found orders of which we did not know.
  missed_at timestamptz,
  missed_count integer not null default 0,
  -- Why the last request failed, and how many did in a row.
  problem_key text,
  problem_message text,
  failures smallint not null default 0,
  -- When a worker may claim it. A claim moves this to the end of its lease.
  due_at timestamptz not null,
  is_running boolean not null default false,
  -- How often it was claimed: distinguishes a worker that lost its lease from the current one.
  claim integer not null default 0,
  -- Claims since the last progress.
  attempts smallint not null default 0,
  primary key (shop_id, system)
);
create index shop_system_catch_ups_due on shop_system_catch_ups (due_at);
