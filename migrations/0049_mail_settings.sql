-- How a shop's e-mail to customers behaves; a shop without a row has the defaults. The account itself is in integration_keys.

create table mail_settings (
  shop_id uuid primary key references shops (id) on delete cascade,
  quiet_enabled boolean not null,
  -- HH:MM in the customer's time zone.
  quiet_from text not null,
  quiet_to text not null,
  promotion boolean not null,
  click_counting boolean not null,
  footer text,
  -- Bounces go to addresses of this domain; null: to the sender.
  bounce_domain text,
  updated_at timestamptz not null
);
