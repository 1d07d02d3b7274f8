-- Statements of withdrawal from a contract: claims of a kind of their own.

alter table claims
  -- claim, withdrawal.
  add column kind text not null default 'claim',
  -- Of a withdrawal: whether it was stated after the last day of the period.
  add column is_late boolean not null default false,
  -- Of a withdrawal: who stated it, when, and in which words.
  add column statement jsonb;

-- The kind comes last of what a search can name, so that those by status alone still find their rows side by side.
drop index claims_kind_created;
drop index claims_kind_updated;
create index claims_kind_created
  on claims (shop_id, status, reason, coalesce(resolution_preference, 'none'), kind, created_at desc, id desc)
  include (updated_at, resolution_preference) where deleted_at is null;
create index claims_kind_updated
  on claims (shop_id, status, reason, coalesce(resolution_preference, 'none'), kind, updated_at desc, id desc)
  include (created_at, resolution_preference) where deleted_at is null;

-- The list of withdrawals, by status and lateness: it takes the runs that its filter allows and merges their first rows.
create index claims_withdrawals on claims (shop_id, status, is_late, created_at desc, id desc)
  where kind = 'withdrawal' and deleted_at is null;
