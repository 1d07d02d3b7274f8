-- The keys that a shop's former installations have signed its links with, sealed with our own. They are of this shop only, and are
-- accepted, but sign nothing here.
create table moved_signing_keys (
  shop_id uuid not null references shops (id) on delete cascade,
  id text not null,
  sealed bytea not null,
  -- Null: until the links are rotated here.
  valid_until timestamptz,
  primary key (shop_id, id)
);
