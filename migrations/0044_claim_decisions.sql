-- Decisions about claims that take effect a few seconds later, so that they can be undone; and what the shop answers.

alter table claims
  -- What the shop writes to the customer, as plain text.
  add column reply text,
  -- What was decided when the claim was last pending: accepted, rejected or closed; null while it is pending, and for claims
  -- that were decided before this was recorded.
  add column decision text,
  add column decided_at timestamptz;

-- At most one per claim. Whoever deletes the row applies the decision, or has undone it.
create table claim_decisions (
  shop_id uuid not null,
  claim_id uuid not null,
  status text not null,
  -- What else to change, as an update of the claim has it.
  changes jsonb not null,
  -- Who decided, for the audit log.
  decided_by text not null,
  actor_kind text not null,
  actor_id text not null,
  decided_at timestamptz not null,
  due_at timestamptz not null,
  primary key (shop_id, claim_id),
  foreign key (shop_id, claim_id) references claims (shop_id, id) on delete cascade
);
create index claim_decisions_due on claim_decisions (due_at);
