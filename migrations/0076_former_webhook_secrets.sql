-- The secrets that others have signed with before they were changed here, for as long as messages signed with them are accepted: of the
-- tracking providers that push, and of Shopify.
alter table integration_keys
  add column former_webhook_secret bytea,
  add column former_webhook_until timestamptz;

alter table shop_system_secrets
  add column former_sealed bytea,
  add column former_until timestamptz;
