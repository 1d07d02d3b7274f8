-- What addresses and digests are signed with: sealed under the encryption key, so that changing that one changes none of them. The first one
-- is the key that the installation was set up with. Newer ones sign; older ones are accepted until valid_until.
create table signing_keys (
  id text primary key,
  sealed bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  valid_until timestamptz
);

-- The secret before the last rotation, which messages may still be signed with for a while.
alter table shop_settings
  add column former_inbound_secret bytea,
  add column former_inbound_until timestamptz;
