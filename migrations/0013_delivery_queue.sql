-- What waits is what has not finished, and each question to the queue has the one index that can answer it. A queue is empty
-- most times when the planner looks at it, and it then takes all of its indexes for equally good: asked by the status, a
-- backlog was read as a whole for each of its rows.
update deliveries set finished_at = next_attempt_at where status <> 'pending' and finished_at is null;
update deliveries set finished_at = null where status = 'pending' and finished_at is not null;
alter table deliveries add constraint deliveries_finished check ((status = 'pending') = (finished_at is null));
drop index deliveries_due;
drop index deliveries_waiting;
create index deliveries_due on deliveries ((shop_id::text || target), next_attempt_at, id) where finished_at is null;
create index deliveries_waiting on deliveries (shop_id, shipment_id, id) where finished_at is null;

-- Payloads are compressed several times faster this way, where the server was built with it.
do $$
begin
  execute 'alter table notifications alter column body set compression lz4';
exception when feature_not_supported or syntax_error then
  null;
end
$$;
