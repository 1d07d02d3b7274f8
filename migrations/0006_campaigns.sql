-- Campaigns, the tests that compare them, and what customers were shown of them.

-- Counts the changes of whatever decides what a shop's customers are shown. Every such change raises it first in its
-- transaction, which also puts the changes of one shop into a line; whoever holds a compiled copy compares the number.
create table offer_versions (
  shop_id uuid primary key references shops (id) on delete cascade,
  version bigint not null
);

create table campaigns (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  name text not null,
  segment text not null,
  promotion_type text not null,
  promotion_properties jsonb not null,
  enabled boolean not null,
  start_date timestamptz not null,
  end_date timestamptz,
  discount_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept for the results of tests that compared it.
  deleted_at timestamptz,
  primary key (shop_id, id),
  -- Keeps a discount from being deleted while a campaign shows it.
  foreign key (shop_id, discount_id) references discounts (shop_id, id)
);
create unique index campaigns_name on campaigns (shop_id, name) where deleted_at is null;
create index campaigns_enabled on campaigns (shop_id, segment, promotion_type, start_date)
  where enabled and deleted_at is null;
create index campaigns_discount on campaigns (shop_id, discount_id) where discount_id is not null;

create table ab_tests (
  shop_id uuid not null references shops (id) on delete cascade,
  id uuid not null,
  name text not null,
  segment text not null,
  campaign_type text not null,
  has_holdout boolean not null,
  holdout_percentage smallint,
  start_date timestamptz not null,
  end_date timestamptz,
  -- When it was ended by hand.
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);
create index ab_tests_segment on ab_tests (shop_id, segment, start_date);

create table ab_test_campaigns (
  shop_id uuid not null,
  test_id uuid not null,
  campaign_id uuid not null,
  position smallint not null,
  allocation smallint not null,
  primary key (shop_id, test_id, campaign_id),
  foreign key (shop_id, test_id) references ab_tests (shop_id, id) on delete cascade,
  foreign key (shop_id, campaign_id) references campaigns (shop_id, id)
);
create index ab_test_campaigns_campaign on ab_test_campaigns (shop_id, campaign_id);

-- What each customer of a test was given at the first exposure. Customers are kept as digests, never by name.
create table ab_test_assignments (
  shop_id uuid not null,
  customer bytea not null,
  test_id uuid not null,
  -- Null: the customer is in the holdout.
  campaign_id uuid,
  assigned_at timestamptz not null,
  primary key (shop_id, customer, test_id),
  foreign key (shop_id, test_id) references ab_tests (shop_id, id) on delete cascade
);
create index ab_test_assignments_test on ab_test_assignments (shop_id, test_id);

-- What pages report: the same view, and the same click, counts once a day a customer.
create table campaign_views (
  shop_id uuid not null references shops (id) on delete cascade,
  -- The campaign; of a customer in the holdout, who is shown none, the test.
  subject_id uuid not null,
  -- exposure, click.
  action text not null,
  customer bytea not null,
  day date not null,
  order_id uuid not null,
  test_id uuid,
  recorded_at timestamptz not null,
  primary key (shop_id, subject_id, action, customer, day)
);
create index campaign_views_test on campaign_views (shop_id, test_id, subject_id, action) where test_id is not null;

-- Orders that came from a tracking page: what a test's results are counted from.
create index orders_from_pages on orders (shop_id, order_placed_at) where order_analytics ->> 'source' = 'trackpages';
