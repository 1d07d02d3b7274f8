-- What shop systems have told of their orders and products. Messages come in any order and more than once: what was
-- heard last is kept by the systems' own times, so that the same messages always lead to the same orders.

create table shop_system_orders (
  shop_id uuid not null references shops (id) on delete cascade,
  -- shopify, shopware, woocommerce.
  system text not null,
  -- The system's own id, which is our order's external_id.
  external_id text not null,
  -- The newest state of the order that was taken over; null while only parts of it were told.
  changed_at timestamptz,
  sent_at timestamptz,
  cancelled_at timestamptz,
  deleted_at timestamptz,
  -- Items to be sent in all.
  quantity integer,
  -- How many shipments follow from it: a merchant's own number stays until this changes.
  expected_shipments smallint not null default 1,
  -- Whether our order has what is below.
  is_applied boolean not null default false,
  -- By the fulfilment's id: its version, whether it holds, and its parcels.
  fulfilments jsonb not null default '{}',
  primary key (shop_id, system, external_id)
);

create table shop_system_products (
  shop_id uuid not null references shops (id) on delete cascade,
  system text not null,
  -- What the system tells of by itself: a product, or one variant of it.
  external_id text not null,
  product_id text,
  changed_at timestamptz,
  sent_at timestamptz,
  deleted_at timestamptz,
  primary key (shop_id, system, external_id)
);

-- Secrets that a system signs with beside the shop's own; sealed.
create table shop_system_secrets (
  shop_id uuid not null references shops (id) on delete cascade,
  system text not null,
  sealed bytea not null,
  updated_at timestamptz not null,
  primary key (shop_id, system)
);

-- The webhooks that we have registered with Shopify, one for each type.
create table shopify_registrations (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  webhook_type text not null,
  -- Shopify's own number of it.
  shopify_id bigint not null,
  topic text not null,
  hook_url text not null,
  fields text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index shopify_registrations_type on shopify_registrations (shop_id, webhook_type);
