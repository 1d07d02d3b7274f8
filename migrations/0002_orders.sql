-- Orders, their shipments, and the events of those.

create table orders (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  order_number text not null,
  external_id text not null,
  order_name text,
  email_id text,
  zip_code text,
  order_placed_at timestamptz not null,
  expected_number_of_shipments smallint not null,
  -- Everything of the order that is shown and never searched by.
  details jsonb not null,
  order_analytics jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index orders_number on orders (shop_id, order_number);
create unique index orders_external_id on orders (shop_id, external_id);
create index orders_name on orders (shop_id, order_name, order_placed_at desc, id desc) where order_name is not null;
create index orders_email on orders (shop_id, lower(email_id), order_placed_at desc, id desc) where email_id is not null;
create index orders_zip_code on orders (shop_id, zip_code, order_placed_at desc, id desc) where zip_code is not null;
create index orders_placed on orders (shop_id, order_placed_at desc, id desc);

create table shipments (
  shop_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  -- Null for a draft.
  tracking_number text,
  is_draft boolean not null generated always as (tracking_number is null) stored,
  carrier_reference text,
  tracking_company text,
  tracking_url text,
  external_shipment_id text,
  direction text not null,
  phase text not null,
  flag text not null,
  current_event_key text not null,
  current_event_at timestamptz not null,
  -- Null: the shipment carries all products of its order.
  products jsonb,
  expected_delivery jsonb,
  -- What was predicted from the shop's own history when the parcel set off, kept to be held against what happened.
  predicted_from timestamptz,
  predicted_to timestamptz,
  origin_country text,
  destination_country text,
  pickup jsonb,
  placed_at timestamptz not null,
  -- The first scan in transit and the first delivery: what delivery windows are learnt from.
  in_transit_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, order_id) references orders (shop_id, id) on delete cascade
);
create unique index shipments_order_tracking on shipments (shop_id, order_id, tracking_number);
create index shipments_tracking on shipments (shop_id, tracking_number, created_at desc, id desc)
  where tracking_number is not null;
create index shipments_external on shipments (shop_id, external_shipment_id, created_at desc, id desc)
  where external_shipment_id is not null;
-- Drafts and fulfilled ones lie apart: a search takes one run or merges both, and never reads past its page.
-- Each carries the other's time, so that a filter by it is decided without the table.
create index shipments_updated on shipments (shop_id, is_draft, updated_at desc, id desc) include (created_at, order_id);
create index shipments_created on shipments (shop_id, is_draft, created_at desc, id desc) include (updated_at);
create index shipments_delivered on shipments (shop_id, delivered_at desc) where delivered_at is not null;

create table shipment_events (
  shop_id uuid not null,
  shipment_id uuid not null,
  event_time timestamptz not null,
  event_key text not null,
  id uuid not null,
  timezone text,
  location jsonb,
  additional_info jsonb,
  external_id text,
  -- Where it comes from: api, system (our own, such as ORDER_CREATED) or a carrier's provider.
  source text not null,
  -- Whether integrations and webhooks are told.
  is_notified boolean not null,
  recorded_at timestamptz not null,
  -- A carrier may resend a scan; this key makes that a no-op.
  primary key (shop_id, shipment_id, event_time, event_key),
  foreign key (shop_id, shipment_id) references shipments (shop_id, id) on delete cascade
);
