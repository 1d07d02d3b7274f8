-- Messages to customers that may not leave yet, and the messages that have left.

-- The sender said that the delivery may not leave before; later ones of the shipment do not wait for it.
alter table deliveries add column postponed_until timestamptz;

-- A message to a customer that leaves or has left, for the next one of its order: when it may leave, and what it replies to.
create table mail_messages (
  shop_id uuid not null,
  delivery_id uuid not null,
  order_id uuid not null,
  -- The parcel; null if it is about the order.
  shipment_id uuid,
  -- Whether it is about parcels, and not about a claim: these are merged.
  is_about_parcels boolean not null,
  -- Without angle brackets; null until the mail server has accepted it.
  message_id text,
  started_at timestamptz not null,
  sent_at timestamptz,
  primary key (shop_id, delivery_id),
  foreign key (shop_id, order_id) references orders (shop_id, id) on delete cascade
);
create index mail_messages_order on mail_messages (shop_id, order_id, started_at);
create index mail_messages_age on mail_messages (started_at);
