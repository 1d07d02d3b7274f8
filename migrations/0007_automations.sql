-- Rules of merchants: where an event passes the filters and the conditions hold, actions follow, at once or later.

create table automations (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  enabled boolean not null,
  trigger_events text[] not null,
  conditions jsonb not null,
  delay_minutes integer not null,
  actions jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept for the runs there have been.
  deleted_at timestamptz,
  primary key (shop_id, id)
);
create unique index automations_name on automations (shop_id, name) where deleted_at is null;

-- What the enabled automations of a shop listen to. An event is looked up here by the few filters that it passes, however
-- many automations there are.
create table automation_filters (
  shop_id uuid not null,
  filter text not null,
  automation_id uuid not null,
  primary key (shop_id, filter, automation_id),
  foreign key (shop_id, automation_id) references automations (shop_id, id) on delete cascade
);

-- The automations whose actions led to an event, first one first: an event that nobody's action caused has none.
alter table notifications add column caused_by uuid[] not null default '{}';

-- Each event that an automation matched: the log that merchants see, and the queue that workers take from.
create table automation_runs (
  shop_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  notification_id uuid not null,
  -- pending, done, failed, cancelled, prevented.
  status text not null,
  -- Why it is not done.
  reason text,
  -- As they were when the event came: a later change is for later events.
  actions jsonb not null,
  -- What became of each action, in their order; empty until they are carried out.
  outcomes jsonb not null,
  attempts smallint not null default 0,
  triggered_at timestamptz not null,
  due_at timestamptz not null,
  finished_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id, automation_id) references automations (shop_id, id) on delete cascade,
  foreign key (shop_id, notification_id) references notifications (shop_id, id) on delete cascade
);
-- An event runs an automation once.
create unique index automation_runs_once on automation_runs (shop_id, notification_id, automation_id);
create index automation_runs_log on automation_runs (shop_id, automation_id, id desc);
create index automation_runs_due on automation_runs (due_at) where status = 'pending';
