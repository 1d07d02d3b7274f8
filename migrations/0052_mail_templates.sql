-- What merchants changed in the messages to their customers. A column that is null: our own text.
create table mail_templates (
  shop_id uuid not null references shops (id) on delete cascade,
  event_group text not null,
  language text not null,
  subject text,
  preheader text,
  heading text,
  introduction text,
  footer text,
  -- The blocks that are shown, in their order.
  blocks text[],
  updated_at timestamptz not null,
  primary key (shop_id, event_group, language)
);
