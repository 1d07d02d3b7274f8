-- Parcels that need a person, kept by a job: a row while at least one kind applies, and what people have decided about it.
create table exceptions (
  shop_id uuid not null,
  shipment_id uuid not null,
  order_id uuid not null,
  -- The most serious kind, and its rank: a higher one is more serious.
  kind text not null,
  severity smallint not null,
  -- The other kinds that apply, most serious first.
  other_kinds text[] not null,
  since timestamptz not null,
  -- The newest event that makes it an exception; null if only a date has passed.
  caused_at timestamptz,
  -- For a stuck parcel: after how many days without a scan, and the hours that usually pass on its route.
  stuck_after_days smallint,
  usual_scan_hours smallint,
  carrier_reference text,
  destination_country text,
  -- open, snoozed, resolved.
  state text not null,
  assigned_to text,
  snoozed_until timestamptz,
  resolved_at timestamptz,
  resolved_by text,
  -- How serious it was, and its newest cause, when it was snoozed or resolved: it comes back if it gets worse.
  dismissed_severity smallint,
  dismissed_caused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, shipment_id),
  foreign key (shop_id, shipment_id) references shipments (shop_id, id) on delete cascade
);
-- Each contains what the list filters by, so that a filter is decided without the table.
create index exceptions_severity on exceptions (shop_id, state, severity desc, since, shipment_id)
  include (carrier_reference, destination_country, assigned_to);
create index exceptions_since on exceptions (shop_id, state, since, shipment_id)
  include (carrier_reference, destination_country, assigned_to);

-- When the next kind could begin to apply to a parcel. Written for every parcel that changes, so its shipment is not
-- checked: a row without one is deleted when it is due.
create table exception_checks (
  shop_id uuid not null,
  shipment_id uuid not null,
  check_at timestamptz not null,
  primary key (shop_id, shipment_id)
);
create index exception_checks_due on exception_checks (shop_id, check_at);

-- How far the job has come in each shop, and what it has learnt about the shop's routes.
create table exception_progress (
  shop_id uuid primary key references shops (id) on delete cascade,
  -- Changes up to here are evaluated.
  changed_until timestamptz not null,
  changed_id uuid not null,
  -- The walk back through parcels that changed earlier; null: finished.
  walk_before timestamptz,
  walk_before_id uuid,
  learnt jsonb not null default '{}',
  learnt_at timestamptz
);

alter table shop_settings
  -- Only what differs from the defaults.
  add column exceptions jsonb not null default '{}',
  add column checklist_dismissed_at timestamptz;

-- What colleagues write about an order or one of its parcels.
create table notes (
  shop_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  shipment_id uuid,
  text text not null,
  author text not null,
  -- The key or person that may delete it.
  author_id text not null,
  created_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id) on delete cascade,
  foreign key (shop_id, shipment_id) references shipments (shop_id, id) on delete set null (shipment_id)
);
create index notes_order on notes (shop_id, order_id, id desc);
create index notes_shipment on notes (shop_id, shipment_id, id desc) where shipment_id is not null;

-- Lists that were saved under a name: the search string of their address.
create table saved_views (
  shop_id uuid not null references shops (id) on delete cascade,
  -- The key or person that it belongs to; empty: all of the shop.
  owner text not null,
  screen text not null,
  name text not null,
  query text not null,
  author text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, owner, screen, name)
);
