-- What a merchant has set for each shop system; only what differs from the defaults.
alter table shop_settings add column shop_systems jsonb not null default '{}';

-- Shopify's numbers have 64 bits, which do not pass through a number unharmed.
alter table shopify_registrations alter column shopify_id type text using shopify_id::text;
