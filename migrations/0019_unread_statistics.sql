-- Nothing is searched by these, and they are most of their rows: what a look at a table took, it took for them. Payloads were
-- unpacked and compared for it.
alter table orders alter column details set statistics 0, alter column order_analytics set statistics 0;
alter table shipments alter column products set statistics 0, alter column expected_delivery set statistics 0,
  alter column pickup set statistics 0;
alter table shipment_events alter column location set statistics 0, alter column additional_info set statistics 0;
alter table notifications alter column body set statistics 0, alter column caused_by set statistics 0;
alter table deliveries alter column attempt_log set statistics 0;
