-- An attempt is read with its delivery and written when that changes: in a table of its own it cost a row, an index and a
-- look at its delivery more.
alter table deliveries add column attempt_log jsonb not null default '[]';
update deliveries set attempt_log = noted.attempts
from (
  select shop_id, delivery_id, jsonb_agg(
    jsonb_build_object('number', number, 'started_at', started_at, 'duration_ms', duration_ms, 'status_code', status_code,
      'answer', answer, 'stage', stage, 'error', error) order by number) as attempts
  from delivery_attempts
  group by shop_id, delivery_id
) as noted
where deliveries.shop_id = noted.shop_id and deliveries.id = noted.delivery_id;
drop table delivery_attempts;
-- It said what the last of them says.
alter table deliveries drop column last_error;
