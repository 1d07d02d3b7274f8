-- Orders of which nothing is to be sent, and those that were handed over without a tracking number.
alter table orders
  add column nothing_to_send boolean not null default false,
  add column handed_over_without_tracking boolean not null default false;
create index orders_nothing_to_send on orders (shop_id, order_placed_at desc, id desc) where nothing_to_send;
create index orders_handed_over on orders (shop_id, order_placed_at desc, id desc) where handed_over_without_tracking;

-- Zip codes are compared without blanks, hyphens and case.
create index orders_zip_key on orders
  (shop_id, lower(translate(zip_code, E' \t\u00a0\u2007\u2009\u202f-\u2010\u2011\u2013', '')), order_placed_at desc, id desc)
  where zip_code is not null;
drop index orders_zip_code;
