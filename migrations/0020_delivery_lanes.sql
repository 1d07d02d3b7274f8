-- Which worker takes from a receiver's queue, and until when nobody else does. Before, each delivery that was taken was
-- written with a lease of its own, and entered anew into every index of the log.
create table delivery_lanes (
  shop_id uuid not null,
  -- As that of its deliveries.
  target text not null,
  worker uuid not null,
  held_until timestamptz not null,
  primary key (shop_id, target)
);

-- Its customer was erased: what a receiver answers to an attempt that was under way is not noted. Before, such an attempt was
-- known by its lease.
alter table deliveries add column is_erased boolean not null default false;
