alter table webhook_endpoints
  -- Conditions that an event has to meet, like those of an automation; null: none.
  add column conditions jsonb,
  -- Names and values of the headers that its requests have, encrypted; null: none.
  add column headers bytea,
  add column headers_since timestamptz,
  -- Since when its deliveries wait because it keeps failing; null: they are sent.
  add column circuit_opened_at timestamptz,
  -- While they wait: when the next one is sent to find out whether it is back, and how many were sent for that.
  add column probe_at timestamptz,
  add column probes smallint not null default 0;

-- Usually empty: a healthy endpoint is not in it.
create index webhook_endpoints_open_circuit on webhook_endpoints (shop_id, id) where circuit_opened_at is not null;
