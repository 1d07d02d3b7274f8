-- How far an internal trigger that applies to existing shipments has walked back through them; null: it has no more to see.
alter table internal_triggers
  add column existing_before timestamptz,
  add column existing_before_id uuid;
