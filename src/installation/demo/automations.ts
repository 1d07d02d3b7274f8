import { createAutomation } from '../../automations/operations.ts'
import type { AutomationWrite } from '../../automations/schema.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { perform } from './perform.ts'

const automations: readonly AutomationWrite[] = [
  {
    name: 'Look for a lost parcel',
    description: 'Opens an investigation before the customer has to ask, unless there is a claim already.',
    trigger: { events: ['shipments/delivery_failed/SHIPMENT_LOST_IN_TRANSIT'] },
    conditions: [{ field: 'context.claims', operator: 'exists', value: false }],
    actions: [
      { type: 'create_claim', reason: 'investigation', resolution_preference: 'reorder' },
      { type: 'add_segment', segment: 'had-trouble' },
    ],
  },
  {
    name: 'Ask good customers how it was',
    description: 'Two days after delivery, for orders of 100 and more that had no trouble.',
    trigger: { events: ['shipments/delivered'] },
    conditions: [
      { field: 'context.order.total_order_price', operator: 'gte', value: 100 },
      { field: 'context.order.segments', operator: 'not_in', value: ['had-trouble'] },
    ],
    delay_minutes: 2 * 24 * 60,
    actions: [{ type: 'notify', integration: 'klaviyo', event_group: 'review_requested' }],
  },
]

/** Must come last, so that the automations do not react to the demo's past events. */
export async function setUpAutomations(context: ShopContext): Promise<void> {
  for (const automation of automations) await perform(context, createAutomation, automation)
}
