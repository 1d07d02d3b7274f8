-- How many requests each shop made to a tracking provider, by the hour in which they ended. Workers write it every few
-- seconds for all requests since the last time, so that polling costs nothing more. Rows older than two days are deleted.
create table provider_hours (
  shop_id uuid not null,
  provider text not null,
  hour timestamptz not null,
  requests integer not null,
  -- Of these, those that failed.
  failures integer not null,
  primary key (shop_id, provider, hour)
) with (fillfactor = 80);
create index provider_hours_age on provider_hours (hour);
