import { filtersOf } from '../../delivery/receivers/filters.ts'
import { publishTo } from '../../delivery/receivers/publish.ts'
import { eventFeedOf } from '../../delivery/receivers/receivers-store.ts'
import type { RecordedEvent } from '../../delivery/receivers/recorded-event.ts'
import { triggerGroup } from '../../platform/catalogue/catalogue.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { shipmentRef } from '../events/to-recorded-event.ts'
import {
  type ActiveEndpoint,
  type DueTrigger,
  type FiringShipment,
  findExistingFiring,
  findFiring,
  listActiveEndpoints,
  listTriggers,
  markEvaluated,
  recordFirings,
  storeWalkPosition,
} from './store.ts'

const triggersAtOnce = 200
const shipmentsAtOnce = 500
/** Steps of a walk per evaluation: 50,000 shipments per minute, so that other triggers do not wait long. */
const existingSteps = 100

/** A minute is precise enough: thresholds are hours. */
export const evaluateEveryMs = minuteMs

/** Evaluates every internal trigger that is switched on, and publishes an event for each shipment that it fires for. */
export async function evaluateInternalTriggers(context: Context): Promise<void> {
  let last: DueTrigger | undefined
  for (;;) {
    const triggers = await listTriggers(context, last, triggersAtOnce)
    for (const trigger of triggers) await evaluate(context, trigger)
    if (triggers.length < triggersAtOnce) return
    last = triggers.at(-1)
  }
}

/** Fires in batches, each in its own transaction. The trigger counts as evaluated after the last batch. */
async function evaluate(context: Context, trigger: DueTrigger): Promise<void> {
  for (;;) {
    const count = await inTransaction(context, (context) => fireBatch(context, trigger))
    if (count < shipmentsAtOnce) break
  }
  await markEvaluated(context, trigger, context.now)
  await walkExisting(context, trigger)
}

/** Walks some steps back through the shipments that existed before the trigger; the next evaluation continues. */
async function walkExisting(context: Context, trigger: DueTrigger): Promise<void> {
  let walking = trigger
  for (let step = 0; step < existingSteps && walking.existingBefore !== null; step += 1) {
    const next = await inTransaction(context, async (context) => {
      const { firing, next } = await findExistingFiring(context, walking, shipmentsAtOnce)
      await fire(context, trigger, firing)
      await storeWalkPosition(context, trigger, next)
      return next
    })
    walking = { ...walking, existingBefore: next?.before ?? null, existingBeforeId: next?.beforeId ?? null }
  }
}

async function fireBatch(context: Context, trigger: DueTrigger): Promise<number> {
  const firing = await findFiring(context, trigger, shipmentsAtOnce)
  await fire(context, trigger, firing)
  return firing.length
}

async function fire(context: Context, trigger: DueTrigger, firing: FiringShipment[]): Promise<void> {
  if (firing.length === 0) return
  const first = await recordFirings(
    context,
    trigger,
    firing.map(({ shipmentId }) => shipmentId),
  )
  const isForWebhooks = trigger.integration === 'webhook'
  const endpoints = isForWebhooks ? await listActiveEndpoints(context, trigger.shopId) : undefined
  const feed = isForWebhooks ? await eventFeedOf(context, trigger.shopId) : []
  const addressed = firing
    .filter(({ shipmentId }) => first.has(shipmentId))
    .map((shipment) => ({
      event: toRecordedEvent(context, trigger, shipment),
      receivers: [...receiversOf(trigger, shipment, endpoints), ...feed].map(({ id, conditions }) => ({
        receiverId: id,
        conditions,
        eventGroup: triggerGroup,
        // `recordFirings` ensures once per shipment and trigger. Once per group would let one trigger suppress another.
        oncePer: null,
      })),
    }))
    .filter(({ receivers }) => receivers.length > 0)
  await publishTo(context, addressed)
}

function toRecordedEvent(context: Context, trigger: DueTrigger, shipment: FiringShipment): RecordedEvent {
  return {
    source: 'shipments',
    shopId: trigger.shopId,
    orderId: shipment.orderId,
    shipmentId: shipment.shipmentId,
    eventName: shipment.eventName,
    ref: shipmentRef(shipment.eventName),
    eventGroup: triggerGroup,
    additionalGroup: null,
    isOncePerGroup: false,
    triggerName: trigger.name,
    eventTime: context.now,
    now: context.now,
  }
}

/** The integration, or the endpoints that listen to the shipment's current event. */
function receiversOf(
  trigger: DueTrigger,
  shipment: FiringShipment,
  endpoints: ActiveEndpoint[] | undefined,
): Pick<ActiveEndpoint, 'id' | 'conditions'>[] {
  if (endpoints === undefined) return [{ id: trigger.integration, conditions: null }]
  const passed = new Set(filtersOf(shipmentRef(shipment.eventName)))
  return endpoints.filter(({ enabledEvents }) => enabledEvents.some((filter) => passed.has(filter)))
}
