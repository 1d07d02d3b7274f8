-- Receivers and tracking providers that the team was alerted about and that have not recovered. A row makes sure that an
-- alert is sent once; it is deleted when the incident ends.
create table team_incidents (
  shop_id uuid not null references shops (id) on delete cascade,
  -- webhook, integration, provider.
  type text not null,
  -- The id of an endpoint, or the name of an integration or provider.
  target text not null,
  failing_since timestamptz not null,
  alerted_at timestamptz not null,
  primary key (shop_id, type, target)
);

-- Those that fail, of all shops. A healthy receiver is not in it, so that recording its health touches no index.
create index receiver_health_failing on receiver_health (failing_since) where failing_since is not null;
create index provider_accounts_failing on provider_accounts (failing_since) where failing_since is not null;
