-- Shops, the keys that may act on them, and what requests leave behind.
-- Tenant tables lead their primary key and every unique index with shop_id, so that they can be spread by shop.

-- What belongs to the installation as a whole: the fingerprint of its encryption key, which demo it has seen.
create table installation (
  name text primary key,
  value text not null
);

create table shops (
  id uuid primary key,
  slug text not null,
  name text not null,
  description text,
  organization text,
  language text not null default 'en',
  contact_email text,
  contact_phone text,
  industry text,
  shop_provider text,
  shop_admin_url text,
  shop_faq_url text,
  shop_service_url text,
  shop_url text,
  logo_url text,
  currency text not null default 'EUR',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
-- A deleted shop's slug is free again.
create unique index shops_slug on shops (slug) where deleted_at is null;
create index shops_name on shops (name, id) where deleted_at is null;

create table api_keys (
  id text primary key,
  username text not null,
  secret_hash bytea not null,
  secret_ending text not null,
  everywhere text,
  expiration bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index api_keys_secret on api_keys (secret_hash);

create table api_key_shops (
  shop_id uuid not null references shops (id) on delete cascade,
  key_id text not null references api_keys (id) on delete cascade,
  role text not null,
  primary key (shop_id, key_id)
);
create index api_key_shops_key on api_key_shops (key_id);

create table images (
  shop_id uuid not null references shops (id) on delete cascade,
  key text not null,
  image_type text not null,
  media_type text not null,
  size_bytes integer not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  primary key (shop_id, key)
);

create table shop_settings (
  shop_id uuid primary key references shops (id) on delete cascade,
  shipment_updates boolean not null default false,
  product_recommendations_enabled boolean default false,
  brand_palette jsonb not null default '{}',
  mappings jsonb not null default '{}',
  carriers jsonb not null default '{}',
  inbound_secret bytea
);

create table trigger_settings (
  shop_id uuid not null references shops (id) on delete cascade,
  integration text not null,
  status boolean not null,
  trigger_delivered_all_events boolean not null,
  stale_event_threshold integer not null,
  segments_enabled boolean not null,
  extra jsonb not null default '{}',
  primary key (shop_id, integration)
);

create table internal_triggers (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  integration text not null,
  name text not null,
  phase_in text[] not null,
  phase_not_in text[] not null,
  event_key_in text[] not null,
  event_key_not_in text[] not null,
  operator text not null,
  time_threshold_type text not null,
  time_threshold_value integer not null,
  shipment_direction text not null,
  created_at timestamptz not null,
  primary key (shop_id, id)
);
create index internal_triggers_integration on internal_triggers (shop_id, integration, created_at);

create table integration_keys (
  shop_id uuid not null references shops (id) on delete cascade,
  provider text not null,
  sealed bytea not null,
  masked jsonb not null,
  updated_at timestamptz not null,
  primary key (shop_id, provider)
);

create table idempotent_requests (
  shop_id uuid not null,
  key_id text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  status integer not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz not null,
  primary key (shop_id, key_id, idempotency_key)
);
create index idempotent_requests_age on idempotent_requests (created_at);
