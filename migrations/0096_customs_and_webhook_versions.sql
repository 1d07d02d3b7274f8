-- Versions up to 0.3.0 do not know the group shipment_customs_action_needed, and run beside newer ones during an upgrade.
-- The edition of the event catalogue that a process has; theirs is 0.
alter table service_nodes add column catalogue_edition int not null default 0;

-- When a delivery is due that only newer nodes may send. For the older ones it is postponed for good.
alter table deliveries add column reserved_due_at timestamptz;

-- In the database, because older nodes resend, release and record deliveries, too. `customs_group` is on when none of them runs any more.
create function reserve_delivery() returns trigger language plpgsql as $$
begin
  if exists (select 1 from installation where name = 'customs_group' and value = 'on') then
    new.reserved_due_at := null;
    if new.postponed_until = timestamptz '9999-01-01 00:00:00+00' then
      new.postponed_until := null;
    end if;
  else
    new.reserved_due_at := new.next_attempt_at;
    new.next_attempt_at := timestamptz '9999-01-01 00:00:00+00';
    new.postponed_until := timestamptz '9999-01-01 00:00:00+00';
  end if;
  return new;
end $$;
create trigger reserve_delivery before insert or update on deliveries for each row
when (new.event_group = 'shipment_customs_action_needed' and new.finished_at is null
  and new.next_attempt_at < timestamptz '9999-01-01 00:00:00+00')
execute function reserve_delivery();

-- A new store has no older nodes.
insert into installation (name, value)
select 'customs_group', 'on' where not exists (select 1 from shops)
on conflict (name) do nothing;

-- Which version of messages a tracking provider sends to the shop, as it stated last.
alter table integration_keys add column webhook_version text;
