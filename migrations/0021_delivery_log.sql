-- One index for the log, whichever way it is read: by status, by event, by both or by neither. Before there were two, each
-- written anew with every change of a delivery, and a search by event read past all others.
drop index deliveries_log;
drop index deliveries_log_by_status;
create index deliveries_log on deliveries (shop_id, target, status, event_name, id desc);
