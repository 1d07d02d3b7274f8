import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { automationsReceiver } from '../queue/delivery.ts'
import { feedReceiver } from '../queue/feed.ts'
import type { Condition } from './conditions.ts'
import { filtersOf } from './filters.ts'
import type { ShipmentGroupKey } from './payload-builder.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** A receiver that was chosen for an event. */
export interface ChosenReceiver {
  receiverId: string
  eventGroup: string
  /** An integration is notified of a group once per value of this; null: every time, as endpoints are. */
  oncePer: ShipmentGroupKey | null
  /** Conditions that the payload has to meet for this receiver; null: none. */
  conditions: Condition[] | null
}

/**
 * Chooses the receivers of events, by the position of the event: active endpoints whose filters it passes, integrations
 * that are switched on, the shop's automations if it passes the filter of one, and its event feed if that is on. Events
 * without receivers are missing.
 *
 *   given     the events
 *   enabled   each with the integrations that are switched on and do not find it too old
 */
export async function findReceivers(context: Context, events: RecordedEvent[]): Promise<Map<number, ChosenReceiver[]>> {
  const given = events.map((event, n) => ({
    n,
    shop_id: event.shopId,
    filters: filtersOf(event.ref),
    event_group: event.eventGroup,
    additional_group: event.additionalGroup,
    event_time: event.eventTime,
    now: event.now,
  }))
  const { rows } = await sql<{ n: number } & ChosenReceiver>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given
        (n int, shop_id uuid, filters text[], event_group text, additional_group text, event_time timestamptz, now timestamptz)
    ), enabled as materialized (
      select given.*, trigger_settings.integration, trigger_settings.trigger_delivered_all_events as wants_all,
        coalesce(trigger_settings.extra ->> 'shipment_group_key', 'shipment_id') as group_key
      from given
      join trigger_settings using (shop_id)
      -- Late events are recorded without notifications.
      where trigger_settings.status
        and given.event_time >= given.now - make_interval(hours => trigger_settings.stale_event_threshold)
    )
    select n, webhook_endpoints.id::text as "receiverId", event_group as "eventGroup", null as "oncePer", conditions
    from enabled
    join webhook_endpoints using (shop_id)
    where enabled.integration = 'webhook' and webhook_endpoints.status = 'active'
      and webhook_endpoints.enabled_events && enabled.filters
    union all
    select n, integration, event_group, group_key, null from enabled where integration <> 'webhook'
    union all
    select n, integration, additional_group, null, null from enabled
    where integration <> 'webhook' and additional_group is not null and wants_all
    union all
    -- All automations of a shop are one receiver; none of them finds an event too old.
    select n, ${automationsReceiver}::text, event_group, null, null
    from given
    cross join lateral (
      select 1 from automation_filters
      where automation_filters.shop_id = given.shop_id and automation_filters.filter = any(given.filters)
      limit 1
    ) as listening
    union all
    -- The feed has every event, whatever its age.
    select n, ${feedReceiver}::text, event_group, null, null
    from given
    join event_feeds on event_feeds.shop_id = given.shop_id and event_feeds.is_on`.execute(context.db)
  const chosen = new Map<number, ChosenReceiver[]>()
  for (const receiver of rows) {
    const known = chosen.get(receiver.n)
    if (known) known.push(receiver)
    else chosen.set(receiver.n, [receiver])
  }
  return chosen
}

/** The shop's event feed as a receiver of an event; none if it is off. */
export async function eventFeedOf(context: Context, shopId: string): Promise<{ id: string; conditions: null }[]> {
  const feed = await context.db
    .selectFrom('event_feeds')
    .where('shop_id', '=', shopId)
    .where('is_on', '=', true)
    .select('shop_id')
    .executeTakeFirst()
  return feed === undefined ? [] : [{ id: feedReceiver, conditions: null }]
}
