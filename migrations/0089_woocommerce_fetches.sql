-- Orders of WooCommerce whose messages left out refunded items or fulfilments, until they have been fetched. The same form as
-- shopware_fetches: each shop system has tables of its own, so that a node of the previous version takes none it cannot fetch.
create table woocommerce_fetches (
  shop_id uuid not null references shops (id) on delete cascade,
  order_id text not null,
  -- How often it was requested: a change during a fetch makes another one.
  requests integer not null default 1,
  is_deleted boolean not null default false,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  primary key (shop_id, order_id)
);
create index woocommerce_fetches_due on woocommerce_fetches (shop_id, due_at);

-- One row for each shop that fetches: its lease, its pauses, and what happened last.
create table woocommerce_fetch_queues (
  shop_id uuid not null references shops (id) on delete cascade,
  -- When the next fetch is due; null while none waits.
  fetch_at timestamptz,
  -- Until then nobody claims it: a worker is fetching, or the store needs a pause.
  blocked_until timestamptz not null,
  -- Failed requests in a row.
  failures smallint not null default 0,
  last_error text,
  fetched_at timestamptz,
  primary key (shop_id)
);
create index woocommerce_fetch_queues_due on woocommerce_fetch_queues (fetch_at) where fetch_at is not null;
