-- What a shop offers around a delivery: discounts, the deals made of them, announcements, and the products it sells.

create table discounts (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  code text,
  target_selection text,
  target_type text,
  title text,
  value_type text,
  value double precision,
  type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
-- Shop systems read codes without regard to case, so two that differ in nothing else would be one to a customer.
create unique index discounts_code on discounts (shop_id, lower(code));

create table deals (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  discount_id uuid not null,
  -- 1 to the number of the shop's deals, without gaps.
  rank integer not null,
  brand_image_url text,
  brand_logo_url text,
  cta_url text,
  title text,
  description text,
  translations jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  -- Judged at the end of a statement: one that closes a gap moves many ranks through each other.
  constraint deals_rank unique (shop_id, rank) deferrable initially immediate,
  -- Keeps a discount from being deleted while a deal shows it.
  foreign key (shop_id, discount_id) references discounts (shop_id, id)
);
create index deals_discount on deals (shop_id, discount_id);

create table announcements (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  language text not null,
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
-- A digest, because a text may be longer than an index entry can be.
create unique index announcements_text on announcements (shop_id, language, md5(text));
create index announcements_language on announcements (shop_id, language, id);

-- One row for each variant, under the shop system's own ids: those that order items carry.
create table products (
  shop_id uuid not null references shops (id) on delete cascade,
  product_id text not null,
  variant_id text not null,
  title text not null,
  variant_title text,
  price double precision,
  sku text,
  product_url text,
  image_url text,
  category text,
  translations jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, product_id, variant_id)
);
create index products_sku on products (shop_id, sku, product_id, variant_id) where sku is not null;
create index products_category on products (shop_id, category, product_id, variant_id) where category is not null;
create index products_newest on products (shop_id, created_at desc, product_id, variant_id);
