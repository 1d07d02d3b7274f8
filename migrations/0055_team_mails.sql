-- Messages to the merchant's own people that wait to be sent. A row is deleted when its message was accepted, rejected or
-- given up: what it says is not kept.
create table team_mails (
  id uuid primary key,
  -- Null: not about one shop; sent with the installation's account only.
  shop_id uuid references shops (id) on delete cascade,
  -- Whom it is for, if they have an account: it goes with them.
  person_id uuid references people (id) on delete cascade,
  kind text not null,
  -- The address and the message, encrypted: links that set a password are secrets.
  sealed bytea not null,
  created_at timestamptz not null,
  -- When a worker may claim it. A claim moves this to the end of its lease.
  due_at timestamptz not null,
  is_claimed boolean not null default false,
  -- How often it was claimed: distinguishes a worker that lost its lease from the current one.
  claim integer not null default 0,
  failures smallint not null default 0
);
create index team_mails_due on team_mails (due_at);
create index team_mails_shop on team_mails (shop_id, id) where shop_id is not null;
create index team_mails_person on team_mails (person_id) where person_id is not null;

-- What each person wants to be sent about a shop. Without a row: no digest, and alerts if they are an admin of that shop.
create table team_mail_subscriptions (
  shop_id uuid not null references shops (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  -- off, daily, weekly.
  digest text not null,
  alerts boolean not null,
  -- Null: the shop's.
  language text,
  primary key (shop_id, person_id)
);
create index team_mail_subscriptions_person on team_mail_subscriptions (person_id);

create table team_mail_settings (
  shop_id uuid primary key references shops (id) on delete cascade,
  -- Null: follows from the shop's language.
  time_zone text,
  -- Further addresses, without an account: { email, digest, alerts, language }.
  addresses jsonb not null default '[]',
  -- Null: nobody wants digests.
  next_digest_at timestamptz,
  -- The day of the last digests, in the shop's time zone.
  last_digest_on date
);
create index team_mail_settings_due on team_mail_settings (next_digest_at) where next_digest_at is not null;
