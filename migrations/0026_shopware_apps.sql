-- Shopware signs webhooks for registered apps only: each shop has an app of its own that its Shopware installs. What is
-- secret is sealed.

create table shopware_apps (
  shop_id uuid not null references shops (id) on delete cascade,
  -- The app's technical name in Shopware. Part of the proof that we give it, so it never changes.
  name text not null,
  -- Written into the manifest; signs registrations.
  app_secret bytea not null,
  created_at timestamptz not null,

  -- The Shopware that is connected; null while there is none.
  shopware_id text,
  shop_url text,
  shopware_version text,
  -- The negotiated secret and the credentials of the Admin API, bound to the address above.
  connection bytea,
  connected_at timestamptz,
  -- The secret before the last rotation, for webhooks that were on their way.
  previous_secret bytea,
  previous_until timestamptz,

  -- A registration that waits for its confirmation.
  pending_shopware_id text,
  pending_shop_url text,
  pending_secret bytea,
  pending_until timestamptz,
  -- Shopware's time of the newest registration that was accepted: none is accepted twice.
  registered_at timestamptz,

  primary key (shop_id)
);

-- Orders that Shopware named by their id only, until they have been fetched. One row for each order, however often it changes.
create table shopware_fetches (
  shop_id uuid not null references shops (id) on delete cascade,
  order_id text not null,
  -- How often it was asked for: a change during a fetch makes another one.
  requests integer not null default 1,
  -- Shopware reported its deletion.
  is_deleted boolean not null default false,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  primary key (shop_id, order_id)
);
create index shopware_fetches_due on shopware_fetches (shop_id, due_at);

-- One row for each shop that fetches: its lease, its pauses, and what happened last.
create table shopware_fetch_queues (
  shop_id uuid not null references shops (id) on delete cascade,
  -- When the next fetch is due; null while none waits.
  fetch_at timestamptz,
  -- Until then nobody claims it: a worker is fetching, or Shopware asked for a pause.
  held_until timestamptz not null,
  -- Failed requests in a row.
  failures smallint not null default 0,
  last_error text,
  fetched_at timestamptz,
  primary key (shop_id)
);
create index shopware_fetch_queues_due on shopware_fetch_queues (fetch_at) where fetch_at is not null;
