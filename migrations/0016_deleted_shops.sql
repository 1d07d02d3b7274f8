-- Shops that were deleted, longest ago first: what is to be removed for good is found without looking at the others.
create index shops_deleted on shops (deleted_at) where deleted_at is not null;
