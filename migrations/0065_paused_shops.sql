-- While a shop is paused, nothing is written or sent for it; it can still be read. Used while it is exported, and for good
-- after it has moved to another installation.
alter table shops
  add column paused_at timestamptz,
  -- Why: operator, export, move, or copy (an imported copy that has not been started yet).
  add column paused_for text;

-- The links to the pages of orders that another installation has sent out: a digest of the proof of each, which counts while
-- the order still has the nonce that the proof was made with. Nothing is stored about links of our own.
create table moved_page_links (
  shop_id uuid not null references shops (id) on delete cascade,
  order_id uuid not null,
  proof_hash bytea not null,
  nonce uuid,
  primary key (shop_id, order_id, proof_hash)
);
