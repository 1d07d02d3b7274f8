-- Whether and how a shop offers the withdrawal function; empty: it does not.
alter table shop_settings add column withdrawal jsonb not null default '{}';

-- Goods without a right of withdrawal, such as those made to measure.
alter table products add column withdrawal_exempt boolean not null default false;
