-- Who is told what happens, what they are told, and how each attempt went.

create table webhook_endpoints (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  url text not null,
  enabled_events text[] not null,
  -- Sealed. The former secret keeps signing beside the new one for a day after a rotation.
  secret bytea not null,
  former_secret bytea,
  former_secret_until timestamptz,
  description text,
  status text not null,
  failing_since timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index webhook_endpoints_url on webhook_endpoints (shop_id, url);

-- One event that somebody is told: the payload as it was at that moment, byte for byte what receivers get.
create table notifications (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  source text not null,
  ref text not null,
  event_name text not null,
  event_group text not null,
  shipment_id uuid,
  order_id uuid,
  body text not null,
  triggered_at timestamptz not null,
  primary key (shop_id, id)
);
create index notifications_shipment on notifications (shop_id, shipment_id, id);
create index notifications_age on notifications (triggered_at);

-- Each receiver of a notification: the log that merchants see, and the queue that workers take from.
create table deliveries (
  shop_id uuid not null,
  id uuid not null,
  notification_id uuid not null,
  -- The id of a webhook endpoint, or the name of an integration.
  target text not null,
  shipment_id uuid,
  event_name text not null,
  event_group text not null,
  -- pending, delivered, skipped, dead.
  status text not null,
  attempts smallint not null default 0,
  -- Attempts before it was last resent: the schedule of retries begins anew with each resending.
  attempts_before smallint not null default 0,
  -- When a pending delivery is due. Taking one moves this to the end of the lease, so that what a dying worker
  -- had taken becomes due again by itself.
  next_attempt_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id, notification_id) references notifications (shop_id, id) on delete cascade
) with (fillfactor = 80);
create index deliveries_due on deliveries (shop_id, target, next_attempt_at, id) where status = 'pending';
create index deliveries_waiting on deliveries (shop_id, target, shipment_id, id) where status = 'pending';
create index deliveries_log on deliveries (shop_id, target, id desc);
create index deliveries_log_by_status on deliveries (shop_id, target, status, id desc);
create index deliveries_notification on deliveries (shop_id, notification_id);

create table delivery_attempts (
  shop_id uuid not null,
  delivery_id uuid not null,
  number smallint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code smallint,
  -- The first kilobyte of what the receiver answered.
  answer text,
  -- Where it failed: resolve, connect, tls, send, timeout, status.
  stage text,
  error text,
  primary key (shop_id, delivery_id, number),
  foreign key (shop_id, delivery_id) references deliveries (shop_id, id) on delete cascade
);

-- Which internal trigger has fired for which shipment: each does once.
create table internal_trigger_firings (
  shop_id uuid not null,
  trigger_id uuid not null,
  shipment_id uuid not null,
  fired_at timestamptz not null,
  primary key (shop_id, trigger_id, shipment_id),
  foreign key (shop_id, trigger_id) references internal_triggers (shop_id, id) on delete cascade
);
-- Up to when a trigger has been looked at; what crosses its threshold afterwards is next.
alter table internal_triggers add column evaluated_until timestamptz;
create index shipments_current_event on shipments (shop_id, current_event_at);

-- Customers whose segments are to be asked for, because an order of theirs has come in.
create table segment_fetches (
  shop_id uuid not null,
  order_id uuid not null,
  integration text not null,
  attempts smallint not null default 0,
  due_at timestamptz not null,
  primary key (shop_id, order_id, integration),
  foreign key (shop_id, order_id) references orders (shop_id, id) on delete cascade
);
create index segment_fetches_due on segment_fetches (due_at);

-- Scheduled jobs, each run by one node at a time.
create table job_turns (
  name text primary key,
  started_at timestamptz not null
);

-- A customer is told once of a group of events, by each integration.
create table notified_groups (
  shop_id uuid not null,
  shipment_id uuid not null,
  integration text not null,
  event_group text not null,
  notification_id uuid not null,
  primary key (shop_id, shipment_id, integration, event_group)
);
