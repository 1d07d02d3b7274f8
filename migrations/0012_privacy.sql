-- What a customer's data is found by, what marks that it was erased, and what reports count a period by.

-- Since when nothing of the order tells whose it was. What is sent of the customer again is not taken over.
alter table orders add column erased_at timestamptz;

-- What was told about an order, also about shipments that it has no more.
create index notifications_order on notifications (shop_id, order_id, id) where order_id is not null;

-- What one customer was shown, and what all were shown on a day.
create index campaign_views_customer on campaign_views (shop_id, customer);
create index campaign_views_day on campaign_views (shop_id, day, subject_id, action);

-- Attempts at a delivery that failed: the few events that are counted by their time.
create index shipment_events_failed on shipment_events (shop_id, event_time)
  where event_key like 'DELIVERY_ATTEMPTED%' or event_key = 'ATTEMPTED_DELIVERY_UNDELIVERABLE';
