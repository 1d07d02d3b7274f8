-- Connecting stores: why a check failed, what is known of a store's webhooks, and WooCommerce's own grant of a key.

alter table connection_checks add column reason text;

-- The webhooks of a shop system, as the system itself lists them.
create table connection_webhooks (
  shop_id uuid not null references shops (id) on delete cascade,
  system text not null,
  -- Topics whose webhooks send, are switched off, or do not exist. Null before they were first read.
  sending text[],
  disabled text[],
  missing text[],
  -- Why they could not be read or repaired the last time.
  problem text,
  -- They were created from here: one that disappears is created again.
  is_managed boolean not null default false,
  -- The next run creates what is missing, and gives all of them the current secret.
  is_wanted boolean not null default false,
  checked_at timestamptz,
  -- Runs that failed since the last that did not.
  failures smallint not null default 0,
  due_at timestamptz not null,
  -- Until then, one request or worker alone reads and creates webhooks: two would create each of them twice.
  leased_until timestamptz,
  primary key (shop_id, system)
);
create index connection_webhooks_due on connection_webhooks (due_at);

-- A person has begun to connect a store, which is to send a key of its API: one row for each who does.
create table woocommerce_grants (
  shop_id uuid not null references shops (id) on delete cascade,
  actor_kind text not null,
  actor_id text not null,
  actor_name text,
  -- SHA-256 of the state that the store sends back.
  state_hash bytea not null,
  store_url text not null,
  begun_at timestamptz not null,
  expires_at timestamptz not null,
  -- The state was used: it is not accepted again.
  used_at timestamptz,
  -- Why the store's key was not stored.
  problem text,
  primary key (shop_id, actor_kind, actor_id)
);
create unique index woocommerce_grants_state on woocommerce_grants (shop_id, state_hash);
create index woocommerce_grants_expiry on woocommerce_grants (expires_at);
