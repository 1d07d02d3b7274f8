-- Nodes of version 0.2.0 run beside newer ones while an installation is upgraded node by node. They write a column that 0040
-- removed, and create endpoints without the times it added. The column is not read any more; a later version removes it.
alter table webhook_endpoints
  add column last_success_at timestamptz,
  alter column url_since set default now(),
  alter column secret_since set default now();
