-- One search box over order number, tracking number, e-mail, zip code and customer name, by how they begin; filters of the
-- dashboard's lists; and when customers looked at the page of an order.

-- text_pattern_ops sorts by bytes, whatever the collation of the store: the keys that begin with a text are one range of the
-- index. It has the same equality as before, so each of these four serves the searches by a whole value too.
drop index orders_number;
drop index orders_email;
drop index orders_zip_key;
drop index shipments_tracking;

-- A number as people read it out: without blanks, hyphens and the sign before it, in capitals.
create function bare_number(number text) returns text
  language sql immutable parallel safe
  return upper(translate(number, E' \t\u00a0\u2007\u2009\u202f-\u2010\u2011\u2013#', ''));

-- A name as people type it: without case, accents and punctuation. Ü, ue and u are the same, as are ß and ss. The key of a
-- name's beginning is the beginning of its key. Case and accents outside of ASCII are translated here: how lower() treats
-- them depends on the locale of the store. The first list is replaced one by one by the second; the rest of it goes away.
create function fold_name(name text) returns text
  language sql immutable parallel safe
  return trim(replace(replace(replace(replace(replace(replace(
    -- Most names are plain ASCII, and the long list takes four times as long.
    case when octet_length(name) = length(name) then translate(lower(name), E'.,;:/\\()"_-\t''`', '            ')
    else translate(lower(normalize(name, NFKD)),
    E'łŁøØđĐðÐþÞıæÆœŒАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς.,;:/\\()"_-\u2010\u2011\u2013\t\u00a0''`\u2019\u02bc\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u030f\u0311\u031b\u0323\u0326\u0327\u0328\u0331\u0342\u0345',
    E'llooddddttiaaooабвгдежзиклмнопрстуфхцчшщъыьэюяієαβγδεζηθικλμνξοπρστυφχψωσ                ')
    end,
    'ß', 'ss'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), '  ', ' '), '  ', ' '));

-- The last word first: "example ada" for "ada example".
create function reversed_name(key text) returns text
  language sql immutable parallel safe
  return nullif(regexp_replace(key, '^(.*) ([^ ]+)$', '\2 \1'), key);

-- Columns rather than expressions of an index: a change to other details of an order then leaves all its indexes alone. An
-- entry of an index must be short.
alter table orders
  add column name_key text
    generated always as (nullif(fold_name(left(details #>> '{address,name}', 100)), '')) stored,
  add column reversed_name_key text
    generated always as (reversed_name(fold_name(left(details #>> '{address,name}', 100)))) stored;

create unique index orders_number on orders (shop_id, order_number text_pattern_ops);
create index orders_email on orders (shop_id, lower(email_id) text_pattern_ops, order_placed_at desc, id desc)
  where email_id is not null;
create index orders_zip_key on orders
  (shop_id, lower(translate(zip_code, E' \t\u00a0\u2007\u2009\u202f-\u2010\u2011\u2013', '')) text_pattern_ops,
   order_placed_at desc, id desc)
  where zip_code is not null;
create index shipments_tracking on shipments (shop_id, tracking_number text_pattern_ops, created_at desc, id desc)
  where tracking_number is not null;

create index orders_name_key on orders (shop_id, name_key text_pattern_ops, order_placed_at desc, id desc)
  where name_key is not null;
create index orders_reversed_name on orders (shop_id, reversed_name_key text_pattern_ops, order_placed_at desc, id desc)
  where reversed_name_key is not null;
-- Only numbers that are written in another way than they are read out, and names that say more than the number: in most
-- shops none.
create index orders_bare_number on orders (shop_id, bare_number(order_number) text_pattern_ops)
  where order_number <> bare_number(order_number);
create index orders_bare_name on orders (shop_id, bare_number(order_name) text_pattern_ops)
  where bare_number(order_name) <> bare_number(order_number);
create index shipments_bare_number on shipments (shop_id, bare_number(tracking_number) text_pattern_ops)
  where tracking_number <> bare_number(tracking_number);

-- Without these, a range of an expression is expected to hold a two-hundredth of all rows, however short its prefix. In a shop
-- of some thousand orders, all of it was then read and sorted.
create statistics orders_email_keys on lower(email_id) from orders;
create statistics orders_zip_keys on lower(translate(zip_code, E' \t\u00a0\u2007\u2009\u202f-\u2010\u2011\u2013', '')) from orders;
create statistics orders_bare_numbers on bare_number(order_number) from orders;
create statistics orders_bare_names on bare_number(order_name) from orders;
create statistics shipments_bare_numbers on bare_number(tracking_number) from shipments;

-- Parcels in a phase, the last changed first: in a long history most are delivered, and the others lie far apart. The few
-- with a problem have an index of their own. Other filters of the list are decided among the last changed parcels.
create index shipments_phase on shipments (shop_id, phase, updated_at desc, id desc);
create index shipments_flag on shipments (shop_id, flag, updated_at desc, id desc) where flag <> 'normal';

-- When customers looked at the page of an order, by the hour.
create table page_views (
  shop_id uuid not null,
  order_id uuid not null,
  hour timestamptz not null,
  views integer not null,
  first_viewed_at timestamptz not null,
  last_viewed_at timestamptz not null,
  primary key (shop_id, order_id, hour)
);
create index page_views_age on page_views (hour);
