-- Events that clients read in order. A shop has a feed from its first reading on; without one, nothing below is written.
create table event_feeds (
  shop_id uuid primary key references shops (id) on delete cascade,
  -- Part of every cursor, so that one of another shop is recognised.
  id uuid not null,
  is_on boolean not null,
  -- The position of the newest entry. Positions have no gaps.
  last_position bigint not null,
  -- Entries up to this position are gone.
  expired_position bigint not null,
  -- To the hour: a feed that nobody reads is switched off.
  read_at timestamptz not null
);

-- Events of a feed that have no position yet. They are written in the transaction of the event, and moved to feed_entries
-- after it is committed: what commits late then comes after what was read before. The number keeps the order in which events of
-- one shipment were recorded.
create table feed_arrivals (
  shop_id uuid not null,
  number bigint generated always as identity,
  notification_id uuid not null,
  ref text not null,
  triggered_at timestamptz not null,
  primary key (shop_id, number)
);

create table feed_entries (
  shop_id uuid not null,
  position bigint not null,
  notification_id uuid not null,
  ref text not null,
  triggered_at timestamptz not null,
  primary key (shop_id, position)
);
-- For the retention of notifications, which keeps those that the feed still has.
create unique index feed_entries_notification on feed_entries (shop_id, notification_id);
