-- What the address of an order's tracking page is made from, so that one order's addresses can be revoked. Orders from
-- before have none: the addresses they were given out under hold until they are revoked.
alter table orders add column page_nonce uuid;
alter table orders alter column page_nonce set statistics 0;

-- The order that an upload waits for a claim of: erased with its customer. Without one: an upload through the API.
alter table images add column order_id uuid;
create index images_of_order on images (shop_id, order_id) where order_id is not null;
