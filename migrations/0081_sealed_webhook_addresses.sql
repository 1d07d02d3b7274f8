-- Addresses of webhooks contain tokens of their receivers. Sealed here, `url` has only the host and a digest, by which the unique index
-- works as before. Null: `url` is the address. Nodes of version 0.2.0 read that one, so addresses are sealed when none of them runs
-- any more: the fact says since when, or that they are. In a new store that is from the beginning.
alter table webhook_endpoints add column sealed_url bytea;

insert into installation (name, value)
select 'sealed_webhook_addresses', 'on' where not exists (select 1 from shops)
on conflict (name) do nothing;
