-- What customers complain about. A claim outlives its shipment: it is evidence, so only its order holds it.

create table claims (
  shop_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  shipment_id uuid not null,
  reason text not null,
  -- Null where the customer has not said.
  resolution_preference text,
  -- pending, accepted, rejected, closed.
  status text not null,
  description text,
  -- Everything of the claim that is shown and never searched by.
  details jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Deleted claims are hidden and kept.
  deleted_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id) on delete cascade
);
create index claims_order on claims (shop_id, order_id, created_at, id);
create index claims_shipment on claims (shop_id, shipment_id, created_at, id);
-- Each carries the other's time, so that a filter by it is decided without the table.
create index claims_created on claims (shop_id, created_at desc, id desc) include (updated_at) where deleted_at is null;
create index claims_updated on claims (shop_id, updated_at desc, id desc) include (created_at) where deleted_at is null;
-- A search by status, reason or preference takes the runs of the kinds it allows and merges their first rows: one index
-- for every combination of the three, and none reads past its page.
create index claims_kind_created
  on claims (shop_id, status, reason, coalesce(resolution_preference, 'none'), created_at desc, id desc)
  include (updated_at, resolution_preference) where deleted_at is null;
create index claims_kind_updated
  on claims (shop_id, status, reason, coalesce(resolution_preference, 'none'), updated_at desc, id desc)
  include (created_at, resolution_preference) where deleted_at is null;
