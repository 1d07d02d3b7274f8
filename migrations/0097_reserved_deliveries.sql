-- outside a transaction
-- Empty except during an upgrade.
create index concurrently if not exists deliveries_reserved on deliveries (reserved_due_at, id)
where finished_at is null and reserved_due_at is not null;
