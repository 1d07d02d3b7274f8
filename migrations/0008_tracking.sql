-- Following parcels: who is asked about which one and when, and what carriers say that nobody understands yet.

-- Whether the carrier was named with the parcel: what is known of a shop's carriers is learnt from these and no guess.
alter table shipments add column is_carrier_given boolean not null default false;

-- Each parcel whose carrier is known, in the shops that want updates: written by the statement that fulfils it.
create table tracked_parcels (
  shop_id uuid not null,
  shipment_id uuid not null,
  carrier_reference text not null,
  tracking_number text not null,
  -- As providers write it when they push.
  bare_number text not null generated always as (upper(regexp_replace(tracking_number, '\s', '', 'g'))) stored,
  fulfilled_at timestamptz not null,
  -- When to ask next. Taking a parcel moves this to the end of the lease, so that what a dying worker had taken
  -- becomes due again by itself.
  next_poll_at timestamptz not null,
  -- How often it was taken: a worker that was given up for dead and answers late is told apart by it.
  polls integer not null default 0,
  -- In a row.
  failures smallint not null default 0,
  -- The provider that was asked to tell us of it, and whether it does.
  registered_with text,
  registered_at timestamptz,
  is_pushed boolean not null default false,
  last_polled_at timestamptz,
  -- Since when its journey is over; it is looked at once more.
  ended_at timestamptz,
  finished_at timestamptz,
  primary key (shop_id, shipment_id),
  foreign key (shop_id, shipment_id) references shipments (shop_id, id) on delete cascade
);
create index tracked_parcels_due on tracked_parcels (shop_id, carrier_reference, next_poll_at) where finished_at is null;
create index tracked_parcels_number on tracked_parcels (shop_id, bare_number, shipment_id desc);
create index tracked_parcels_age on tracked_parcels (fulfilled_at) where finished_at is null;

-- Shops whose parcels under way are to be taken up, and how far that has come.
create table parcel_enrolments (
  shop_id uuid primary key references shops (id) on delete cascade,
  requested_at timestamptz not null,
  due_at timestamptz not null,
  -- Shipments are walked through by their last change.
  walked_until timestamptz not null,
  walked_id uuid not null,
  is_last_walk boolean not null
);
create index parcel_enrolments_due on parcel_enrolments (due_at);
insert into parcel_enrolments (shop_id, requested_at, due_at, walked_until, walked_id, is_last_walk)
select shop_id, now(), now(), now() - interval '90 days', '00000000-0000-0000-0000-000000000000', true
from shop_settings where shipment_updates;

-- A shop's account with a provider: how much of its limit is used, and how it fares. All nodes share it.
create table provider_accounts (
  shop_id uuid not null references shops (id) on delete cascade,
  provider text not null,
  -- Each request moves this on by its share of the limit; a request may be made while it is not too far ahead.
  next_free_at timestamptz not null,
  -- Where the provider asks for a least time between two requests.
  gap_until timestamptz,
  paused_until timestamptz,
  -- In a row.
  failures integer not null default 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- 0: there was no answer.
  last_failure_status integer,
  last_failure_detail text,
  failing_since timestamptz,
  primary key (shop_id, provider)
);

-- Codes of providers that their adapter does not know, and what the shop takes them for.
create table unmapped_codes (
  shop_id uuid not null references shops (id) on delete cascade,
  provider text not null,
  code text not null,
  text text,
  scans integer not null,
  first_seen_at timestamptz,
  last_seen_at timestamptz not null,
  event_name text,
  is_mapped boolean not null generated always as (event_name is not null) stored,
  primary key (shop_id, provider, code)
);
create index unmapped_codes_seen on unmapped_codes (shop_id, is_mapped, last_seen_at desc, provider, code);

-- Each scan with such a code: where a mapping finds the events that it changes.
create table unmapped_scans (
  shop_id uuid not null,
  provider text not null,
  code text not null,
  shipment_id uuid not null,
  event_time timestamptz not null,
  -- As what it is recorded.
  event_key text not null,
  -- Whether the event is this scan's: another may have brought the same one before.
  is_recorded boolean not null,
  primary key (shop_id, provider, code, shipment_id, event_time),
  foreign key (shop_id, shipment_id) references shipments (shop_id, id) on delete cascade
);
create index unmapped_scans_shipment on unmapped_scans (shop_id, shipment_id, event_time);

-- Mappings that are being applied to what was recorded before, and how far that has come.
create table code_replays (
  shop_id uuid not null references shops (id) on delete cascade,
  provider text not null,
  code text not null,
  event_name text not null,
  requested_at timestamptz not null,
  replayed_shipment uuid not null,
  replayed_time timestamptz not null,
  primary key (shop_id, provider, code)
);
create index code_replays_requested on code_replays (requested_at);
