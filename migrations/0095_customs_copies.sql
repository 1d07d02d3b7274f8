-- Events with which customs wants a payment or information had the group shipment_carrier_delay. They have one of their own now,
-- shipment_customs_action_needed: what shops have set for the old one is copied, so that both are treated alike until somebody
-- changes that.
insert into mail_templates (shop_id, event_group, language, subject, preheader, heading, introduction, footer, blocks, updated_at)
select shop_id, 'shipment_customs_action_needed', language, subject, preheader, heading, introduction, footer, blocks, updated_at
from mail_templates
where event_group = 'shipment_carrier_delay'
on conflict do nothing;

-- A condition that the old group meets is met by the new one, too. `contains` also finds the name in that of the group of returns.
create function with_customs_group(conditions jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(
    case
      when value ->> 'field' <> 'event_data.event_group' then value
      when value ->> 'operator' in ('eq', 'neq') and value ->> 'value' = 'shipment_carrier_delay' then value || jsonb_build_object(
        'operator', case value ->> 'operator' when 'eq' then 'in' else 'not_in' end,
        'value', jsonb_build_array('shipment_carrier_delay', 'shipment_customs_action_needed'))
      when value ->> 'operator' = 'contains' and value ->> 'value' = 'shipment_carrier_delay' then value || jsonb_build_object(
        'operator', 'in',
        'value', jsonb_build_array('shipment_carrier_delay', 'return_shipment_carrier_delay', 'shipment_customs_action_needed'))
      when value ->> 'operator' in ('in', 'not_in') and value -> 'value' @> '["shipment_carrier_delay"]'
        and not value -> 'value' @> '["shipment_customs_action_needed"]' then
        jsonb_set(value, '{value}', (value -> 'value') || '["shipment_customs_action_needed"]')
      else value
    end order by position), '[]')
  from jsonb_array_elements(conditions) with ordinality as condition (value, position)
$$;

update automations set conditions = with_customs_group(conditions)
where conditions @> '[{"field": "event_data.event_group"}]' and conditions::text like '%"shipment_carrier_delay"%';

update webhook_endpoints set conditions = with_customs_group(conditions)
where conditions @> '[{"field": "event_data.event_group"}]' and conditions::text like '%"shipment_carrier_delay"%';

drop function with_customs_group;
