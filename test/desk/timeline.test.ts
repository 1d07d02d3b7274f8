import { describe, expect, it } from 'vitest'
import { isCausedBy, reasonOf, toPageViews } from '../../src/desk/timeline/rules.ts'
import type { TimelineEvent, TimelineNotification } from '../../src/desk/timeline/store.ts'

const at = new Date('2026-11-03T10:00:00.123Z')
const event: TimelineEvent = {
  event_key: 'OUT_FOR_DELIVERY',
  event_time: new Date('2026-11-03T08:00:00Z'),
  recorded_at: at,
  source: 'carrier',
  is_notified: true,
  direction: 'merchant_customer',
}
const notification: TimelineNotification = {
  id: 'n-1',
  shipment_id: 's-1',
  ref: 'shipments/out_for_delivery/OUT_FOR_DELIVERY',
  event_name: 'OUT_FOR_DELIVERY',
  event_group: 'shipment_out_for_delivery',
  triggered_at: at,
}

describe('notification in a timeline', () => {
  it('belongs to the event of its name and group that was recorded at the same instant', () => {
    expect(isCausedBy(notification, event)).toBe(true)
    expect(isCausedBy({ ...notification, triggered_at: new Date(at.getTime() + 1) }, event)).toBe(false)
    expect(isCausedBy({ ...notification, event_name: 'PARCEL_DISPATCHED' }, event)).toBe(false)
    expect(isCausedBy({ ...notification, event_group: 'shipment_internal_trigger' }, event)).toBe(false)
  })

  it('is of the group that returns have, if the parcel is one', () => {
    const back = { ...event, event_key: 'SUCCESSFULLY_DELIVERED', direction: 'customer_merchant' }
    const told = { ...notification, event_name: 'SUCCESSFULLY_DELIVERED' }
    expect(isCausedBy({ ...told, event_group: 'return_shipment_delivered' }, back)).toBe(true)
    expect(isCausedBy({ ...told, event_group: 'shipment_delivered' }, back)).toBe(false)
    expect(isCausedBy({ ...told, event_group: 'shipment_delivered' }, { ...back, direction: 'partner_customer' })).toBe(
      true,
    )
  })
})

describe('event in a timeline', () => {
  it.each([
    ['told', true, 'shipment_delivered', true],
    // A trigger may have sent a message about an event that was not to be announced.
    ['told', false, undefined, true],
    ['not asked to notify', false, 'shipment_delivered', false],
    ['not asked to notify', false, undefined, false],
    ['no event group', true, undefined, false],
    ['no receiver', true, 'shipment_delivered', false],
  ] as const)('has the reason %j', (reason, is_notified, group, hasReceiver) => {
    expect(reasonOf({ ...event, is_notified }, group, hasReceiver)).toBe(reason)
  })
})

describe('page views', () => {
  it('have their first and last time', () => {
    const [first, last] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-02T10:00:00Z')]
    expect(
      toPageViews({ order_id: 'o-1', hour: first, first_viewed_at: first, last_viewed_at: last, views: 3 }),
    ).toEqual({
      first_viewed_at: first.toISOString(),
      last_viewed_at: last.toISOString(),
      views: 3,
    })
  })
})
