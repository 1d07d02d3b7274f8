import { minuteMs } from '../foundation/clock.ts'
import { type Context, inTransaction } from '../foundation/operation.ts'
import {
  activeEndpoints,
  type DueTrigger,
  findFiring,
  listTriggers,
  markEvaluated,
  recordFirings,
} from './internal-trigger-store.ts'
import { tell } from './publish.ts'

const firedGroup = 'shipment_internal_trigger'
const triggersAtOnce = 200
const shipmentsAtOnce = 500

/** How often triggers are looked at: their thresholds are hours. */
export const evaluateEveryMs = minuteMs

/** Looks at every internal trigger that is switched on, and tells of the shipments that it has come to hold for. */
export async function evaluateInternalTriggers(context: Context): Promise<void> {
  let last: DueTrigger | undefined
  for (;;) {
    const triggers = await listTriggers(context, last, triggersAtOnce)
    for (const trigger of triggers) await evaluate(context, trigger)
    if (triggers.length < triggersAtOnce) return
    last = triggers.at(-1)
  }
}

/** A batch at a time, each in a transaction of its own; only when none is left has the trigger been looked at. */
async function evaluate(context: Context, trigger: DueTrigger): Promise<void> {
  for (;;) {
    const count = await inTransaction(context, (context) => fireBatch(context, trigger))
    if (count < shipmentsAtOnce) break
  }
  await markEvaluated(context, trigger, context.now)
}

async function fireBatch(context: Context, trigger: DueTrigger): Promise<number> {
  const firing = await findFiring(context, trigger, shipmentsAtOnce)
  if (firing.length === 0) return 0
  const first = await recordFirings(
    context,
    trigger,
    firing.map(({ shipmentId }) => shipmentId),
  )
  const targets =
    trigger.integration === 'webhook' ? await activeEndpoints(context, trigger.shopId) : [trigger.integration]
  const tellings = firing
    .filter(({ shipmentId }) => first.has(shipmentId))
    .map((shipment) => ({
      event: { shopId: trigger.shopId, ...shipment, eventTime: context.now, now: context.now },
      eventGroup: firedGroup,
      triggerName: trigger.name,
      // That it fires once is kept by trigger: one that has fired does not silence another.
      targets: targets.map((target) => ({ target, eventGroup: firedGroup, isToldOnce: false })),
    }))
  if (targets.length > 0 && tellings.length > 0) await tell(context, tellings)
  return firing.length
}
