-- How long deliveries take, by carrier, country and service. docs/decisions/0028 says what is kept of each day.

-- The carrier's product if the sender named it, or else the shipping method of the order.
alter table shipments add column service text;

-- Counted with the other figures of the day, and read without them: the groups of `DayTimes` in
-- src/resources/analytics/day-times.ts. Not jsonb: it is only read as a whole.
alter table daily_figures add column delivery_times json;
insert into changed_days (shop_id, day) select shop_id, day from daily_figures;

-- { days, unit, since }; null: the merchant has set no target.
alter table shop_settings add column delivery_target jsonb;

-- The parcels of a day are also listed, and many may have been delivered at the same moment.
drop index shipments_delivered;
create index shipments_delivered on shipments (shop_id, delivered_at desc, id desc) where delivered_at is not null;

create or replace function mark_changed_order() returns trigger language plpgsql as $$
begin
  insert into changed_days (shop_id, day)
  values (new.shop_id, utc_day(old.order_placed_at)), (new.shop_id, utc_day(new.order_placed_at));
  -- Whether its drafts still have to be sent, and how long its deliveries took, depend on the order.
  insert into changed_days (shop_id, day)
  select shop_id, utc_day(instant) from shipments
  cross join unnest(array[shipments.created_at, shipments.delivered_at]) as instant
  where shipments.shop_id = new.shop_id and shipments.order_id = new.id and instant is not null;
  return null;
end $$;
