-- Shipments made up to a day, the last changed first. By the index of changes alone, all that was made since would be
-- passed over. In a class of how long after their making shipments changed, those made by a day have changed by then and
-- so much later at the latest: each class is read from there. The limits are named in resources/shipments/search-store.ts too.
create function change_class(created_at timestamptz, updated_at timestamptz) returns int
  language sql immutable parallel safe
  return case
    when updated_at - created_at < interval '1 hour' then 0
    when updated_at - created_at < interval '6 hours' then 1
    when updated_at - created_at < interval '24 hours' then 2
    when updated_at - created_at < interval '72 hours' then 3
    when updated_at - created_at < interval '168 hours' then 4
    when updated_at - created_at < interval '336 hours' then 5
    when updated_at - created_at < interval '720 hours' then 6
    else 7
  end;

create index shipments_change_class on shipments
  (shop_id, is_draft, change_class(created_at, updated_at), updated_at desc, id desc) include (created_at);
