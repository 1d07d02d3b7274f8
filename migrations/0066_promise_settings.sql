-- What a shop decides about its delivery promises: percentile, warehouses, shipping classes and methods. Empty: the defaults.
alter table shop_settings add column delivery_promises jsonb not null default '{}';
