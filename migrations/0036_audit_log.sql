-- Who changed what, when and how: one row per change, kept for AUDIT_DAYS.
create table audit_log (
  -- Ids are ordered by time, so that a period is a range of ids.
  id uuid primary key,
  -- Null: the change concerns the installation, such as a new shop or a key for all shops.
  shop_id uuid,
  recorded_at timestamptz not null,
  -- key, person, automation or system
  actor_kind text not null,
  -- The id of the key, person or automation. No reference: entries outlive them.
  actor_id text,
  actor_name text,
  -- The operation's name and its section of the API reference.
  action text not null,
  area text not null,
  subject_kind text not null,
  subject_id text,
  subject_name text,
  -- The fields that changed: { "field": { "before": …, "after": … } }, secrets masked and values bounded.
  changes jsonb not null
);

create index audit_log_shop on audit_log (shop_id, id);
create index audit_log_actor on audit_log (shop_id, actor_id, id);
create index audit_log_actor_name on audit_log (shop_id, lower(actor_name), id);
create index audit_log_action on audit_log (shop_id, action, id);
create index audit_log_area on audit_log (shop_id, area, id);
create index audit_log_kind on audit_log (shop_id, subject_kind, id);
create index audit_log_subject on audit_log (shop_id, subject_id, id);
