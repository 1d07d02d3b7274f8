-- The delivery that the customer of an order was promised, and what became of it.
create table order_promises (
  shop_id uuid not null,
  order_id uuid not null,
  -- promise: by a promise id; given: as the order states it.
  source text not null,
  earliest date,
  likeliest date,
  latest date not null,
  method text,
  -- The carrier of the promise or, if it names none, of the first parcel.
  carrier_reference text,
  service text,
  destination_country text,
  -- What was stated with it; null if it was given without.
  percentile double precision,
  share_by_latest double precision,
  sample_size integer,
  basis text,
  promised_at timestamptz not null,
  -- The end of the last day where the order goes.
  due_at timestamptz not null,
  -- open, at_risk, kept, broken.
  state text not null,
  -- How likely it is to hold; null: not known, or decided.
  chance double precision,
  delivered_on date,
  decided_at timestamptz,
  -- When to look at it next, if nothing happens to its parcels; null: not again.
  check_at timestamptz,
  primary key (shop_id, order_id),
  foreign key (shop_id, order_id) references orders (shop_id, id) on delete cascade
);
create index order_promises_due on order_promises (shop_id, check_at) where check_at is not null;
-- Contains what the report counts, so that it is read without the table.
create index order_promises_latest on order_promises (shop_id, latest)
  include (state, carrier_reference, destination_country, percentile, share_by_latest, earliest);

-- Parcels that were at risk of being late, so that each is announced once per promise.
create table at_risk_parcels (
  shop_id uuid not null,
  shipment_id uuid not null,
  -- Since when.
  since timestamptz not null,
  -- The last promised day that it was announced for; null: without a promise, for the window of the parcel itself.
  promised date,
  chance double precision not null,
  primary key (shop_id, shipment_id),
  foreign key (shop_id, shipment_id) references shipments (shop_id, id) on delete cascade
);
