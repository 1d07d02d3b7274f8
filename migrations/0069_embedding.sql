-- What a shop embeds in its own site: { public_key, domains }. Empty until it is first asked for.
alter table shop_settings add column embedding jsonb not null default '{}';
