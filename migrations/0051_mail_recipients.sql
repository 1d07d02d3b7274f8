-- Addresses that get no mail, or no promotion. Only a keyed digest and a masked form are stored: no list to be stolen.

create table mail_recipients (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  -- HMAC of the address, with a key that is not in the store.
  digest bytea not null,
  -- m…@example.org; null after the customer was erased.
  masked text,
  -- bounced, complained, rejected, manual; null: it gets mail.
  suppressed_reason text,
  suppressed_at timestamptz,
  -- What the mail provider said, without addresses.
  detail text,
  -- Wants no promotion.
  opted_out_at timestamptz,
  -- The first day on which a mail server rejected the address.
  rejected_on date,
  created_at timestamptz not null,
  primary key (shop_id, id)
);
create unique index mail_recipients_digest on mail_recipients (shop_id, digest);
create index mail_recipients_listed on mail_recipients (shop_id, id desc)
  where suppressed_at is not null or opted_out_at is not null;

-- Messages that left, and clicks on their links if the shop counts them: per day and group, and nobody's name.
create table mail_figures (
  shop_id uuid not null references shops (id) on delete cascade,
  day date not null,
  event_group text not null,
  -- sent, or the kind of the link.
  kind text not null,
  count integer not null,
  primary key (shop_id, day, event_group, kind)
);
