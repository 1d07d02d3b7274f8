-- The figures of a day, counted by a job and kept until something of that day changes. docs/decisions/0027 says why.

create table daily_figures (
  shop_id uuid not null references shops (id) on delete cascade,
  -- In UTC.
  day date not null,
  -- As `DayFigures` in src/resources/analytics/day-figures.ts declares it.
  figures jsonb not null,
  -- How many rows were counted, which is what it costs to count the day again.
  size integer not null,
  -- Some of its deliveries are not finished: it changes without a mark.
  is_open boolean not null,
  counted_at timestamptz not null,
  primary key (shop_id, day)
);
create index daily_figures_open on daily_figures (shop_id, day) where is_open;

-- Days that must be counted again. Only appended to, so that writers never wait for each other.
create table changed_days (
  shop_id uuid not null,
  day date not null,
  id bigint generated always as identity,
  primary key (shop_id, day, id)
);

-- Changes before this moment are in changed_days, or counted. No row: nothing was counted yet.
create table figures_progress (
  is_only boolean primary key default true check (is_only),
  marked_until timestamptz not null
);

-- The views of a day since a moment; and all of a day by subject and action, without the table.
drop index campaign_views_day;
create index campaign_views_day on campaign_views (shop_id, day, recorded_at) include (subject_id, action);

-- The claims of a day by reason and status, without the table.
drop index claims_created;
create index claims_created on claims (shop_id, created_at desc, id desc) include (updated_at, reason, status)
  where deleted_at is null;

create function utc_day(instant timestamptz) returns date
  language sql immutable parallel safe
  return (instant at time zone 'UTC')::date;

-- The moment in a version 7 UUID.
create function instant_of_id(id uuid) returns timestamptz
  language sql immutable parallel safe
  return to_timestamp(('x' || left(translate(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

-- What the job cannot find by index is marked by triggers. Each of them has a condition that is false for orders, events and
-- deliveries as they usually are, so that writing those costs nothing more.

create function mark_changed_order() returns trigger language plpgsql as $$
begin
  insert into changed_days (shop_id, day)
  values (new.shop_id, utc_day(old.order_placed_at)), (new.shop_id, utc_day(new.order_placed_at));
  -- Whether its drafts still have to be sent depends on the order.
  insert into changed_days (shop_id, day)
  select shop_id, utc_day(created_at) from shipments
  where shipments.shop_id = new.shop_id and shipments.order_id = new.id;
  return null;
end $$;
create trigger mark_days after update on orders for each row
  when (
    old.order_placed_at <> new.order_placed_at
    or old.nothing_to_send <> new.nothing_to_send
    or old.handed_over_without_tracking <> new.handed_over_without_tracking
    or ('trackpages' in (old.order_analytics ->> 'source', new.order_analytics ->> 'source')
      and (old.order_analytics <> new.order_analytics or old.details <> new.details))
  )
  execute function mark_changed_order();

create function mark_changed_shipment() returns trigger language plpgsql as $$
begin
  insert into changed_days (shop_id, day)
  select new.shop_id, utc_day(instant)
  from unnest(array[new.created_at, old.delivered_at, new.delivered_at]) as instant where instant is not null;
  return null;
end $$;
-- The day that a delivery is moved away from, and changes that do not move updated_at.
create trigger mark_days after update on shipments for each row
  when (
    old.delivered_at <> new.delivered_at
    or (old.delivered_at is not null and new.delivered_at is null)
    or (old.updated_at = new.updated_at and old.* is distinct from new.*)
  )
  execute function mark_changed_shipment();

create function mark_failed_attempt() returns trigger language plpgsql as $$
begin
  insert into changed_days (shop_id, day) values (new.shop_id, utc_day(new.event_time));
  return null;
end $$;
create trigger mark_days after insert on shipment_events for each row
  when (new.event_key like 'DELIVERY_ATTEMPTED%' or new.event_key = 'ATTEMPTED_DELIVERY_UNDELIVERABLE')
  execute function mark_failed_attempt();

create function mark_changed_claim() returns trigger language plpgsql as $$
begin
  insert into changed_days (shop_id, day) values (new.shop_id, utc_day(new.created_at));
  return null;
end $$;
create trigger mark_days after insert or update on claims for each row execute function mark_changed_claim();

create function mark_reopened_delivery() returns trigger language plpgsql as $$
begin
  insert into changed_days (shop_id, day) values (new.shop_id, utc_day(instant_of_id(new.id)));
  return null;
end $$;
create trigger mark_days after update on deliveries for each row
  when (old.finished_at is not null and old.status <> new.status)
  execute function mark_reopened_delivery();

-- Rows of deleted shops are removed table by table, and nobody counts them.
create function mark_deleted() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'orders' then
      insert into changed_days (shop_id, day) select distinct gone.shop_id, utc_day(order_placed_at) from gone
      join shops on shops.id = gone.shop_id and shops.deleted_at is null;
    when 'shipments' then
      insert into changed_days (shop_id, day) select distinct gone.shop_id, utc_day(instant) from gone
      join shops on shops.id = gone.shop_id and shops.deleted_at is null
      cross join unnest(array[gone.created_at, gone.delivered_at]) as instant where instant is not null;
    when 'shipment_events' then
      insert into changed_days (shop_id, day) select distinct gone.shop_id, utc_day(event_time) from gone
      join shops on shops.id = gone.shop_id and shops.deleted_at is null
      where event_key like 'DELIVERY_ATTEMPTED%' or event_key = 'ATTEMPTED_DELIVERY_UNDELIVERABLE';
    when 'claims' then
      insert into changed_days (shop_id, day) select distinct gone.shop_id, utc_day(gone.created_at) from gone
      join shops on shops.id = gone.shop_id and shops.deleted_at is null;
    when 'deliveries' then
      insert into changed_days (shop_id, day) select distinct gone.shop_id, utc_day(instant_of_id(gone.id)) from gone
      join shops on shops.id = gone.shop_id and shops.deleted_at is null;
    when 'campaign_views' then
      insert into changed_days (shop_id, day) select distinct gone.shop_id, gone.day from gone
      join shops on shops.id = gone.shop_id and shops.deleted_at is null;
  end case;
  return null;
end $$;
create trigger mark_deleted after delete on orders referencing old table as gone
  for each statement execute function mark_deleted();
create trigger mark_deleted after delete on shipments referencing old table as gone
  for each statement execute function mark_deleted();
create trigger mark_deleted after delete on shipment_events referencing old table as gone
  for each statement execute function mark_deleted();
create trigger mark_deleted after delete on claims referencing old table as gone
  for each statement execute function mark_deleted();
create trigger mark_deleted after delete on deliveries referencing old table as gone
  for each statement execute function mark_deleted();
create trigger mark_deleted after delete on campaign_views referencing old table as gone
  for each statement execute function mark_deleted();
