-- How each receiver of messages does: a webhook endpoint or an integration. Workers write it every few seconds for all
-- attempts since the last time, so that sending costs nothing more, and reading it costs the same however long the log is.
create table receiver_health (
  shop_id uuid not null,
  -- As that of its deliveries.
  target text not null,
  last_success_at timestamptz,
  failing_since timestamptz,
  consecutive_failures integer not null,
  last_failure_at timestamptz,
  last_failure_reason text,
  last_failure_status smallint,
  last_failure_delivery uuid,
  primary key (shop_id, target)
) with (fillfactor = 80);

-- Its attempts by the hour in which they began. Rows older than a week are deleted.
create table receiver_hours (
  shop_id uuid not null,
  target text not null,
  hour timestamptz not null,
  delivered integer not null,
  -- Attempts that failed.
  failed integer not null,
  -- Deliveries that were given up.
  dead integer not null,
  primary key (shop_id, target, hour)
) with (fillfactor = 80);
create index receiver_hours_age on receiver_hours (hour);

insert into receiver_health (shop_id, target, last_success_at, failing_since, consecutive_failures)
select shop_id, id::text, last_success_at, failing_since, case when failing_since is null then 0 else 1 end
from webhook_endpoints
where last_success_at is not null or failing_since is not null;
alter table webhook_endpoints drop column last_success_at;

-- Since when an endpoint has its URL and its secret: an earlier attempt was sent elsewhere, or signed by another secret.
alter table webhook_endpoints add column url_since timestamptz, add column secret_since timestamptz;
update webhook_endpoints set url_since = updated_at,
  secret_since = coalesce(former_secret_until - interval '1 day', created_at);
alter table webhook_endpoints alter column url_since set not null, alter column secret_since set not null;
