import { listFinishedDeliveries, type PastDelivery } from '../../delivery/log/replay-store.ts'
import { Replayed, ReplayRequest } from '../../delivery/log/schema.ts'
import { requeueDeliveries } from '../../delivery/log/store.ts'
import { probeSoon } from '../../delivery/queue/circuit-store.ts'
import { wake } from '../../delivery/queue/wake-store.ts'
import { ConditionSet, type Facts } from '../../delivery/receivers/condition-set.ts'
import type { Condition } from '../../delivery/receivers/conditions.ts'
import { filtersOf } from '../../delivery/receivers/filters.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { instant, type Static } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { auditedEndpoint } from './audit.ts'
import { type EndpointRow, findEndpoint } from './store.ts'

/** The number of past deliveries that one call examines; a second call continues. */
const replayAtMost = 5_000
const batchSize = 500

interface Replay {
  replayed: number
  /** The creation time of the first delivery that was not examined; undefined if all were. */
  nextFrom: Date | undefined
}

/**
 * Makes the finished deliveries of a period due again, oldest first, if the endpoint would get them today. Those that are
 * still in the queue stay in it. Call it inside a transaction.
 */
async function replayDeliveries(
  context: ShopContext,
  endpoint: EndpointRow,
  period: { from: Date; to: Date },
): Promise<Replay> {
  const wants = createFilter(endpoint)
  const range = { receiverId: endpoint.id, ...period }
  let replayed = 0
  let last: PastDelivery | undefined
  for (let seen = 0; seen < replayAtMost; seen += batchSize) {
    const batch = await listFinishedDeliveries(context, range, last?.id, {
      limit: batchSize,
      withBodies: endpoint.conditions !== null,
    })
    const wanted = batch.filter(wants).map(({ id }) => id)
    if (wanted.length > 0) replayed += (await requeueDeliveries(context, wanted)).length
    if (batch.length < batchSize) return { replayed, nextFrom: undefined }
    last = batch.at(-1)
  }
  const [next] = await listFinishedDeliveries(context, range, last?.id, { limit: 1, withBodies: false })
  return { replayed, nextFrom: next?.createdAt }
}

/** Whether an endpoint would get a delivery by its events and conditions of today. */
function createFilter({ enabled_events, conditions }: EndpointRow): (delivery: PastDelivery) => boolean {
  const enabled = new Set(enabled_events)
  const set = new ConditionSet()
  const needed = set.add((conditions ?? []) as Condition[]) // stored by us, as their schema has them
  return ({ ref, body }) =>
    filtersOf(ref).some((filter) => enabled.has(filter)) &&
    (body === null || set.evaluate(JSON.parse(body) as Facts).meetsAll(needed)) // written by us
}

export const replayWebhook = operation({
  name: 'replayWebhook',
  summary: 'Send the past deliveries of a webhook endpoint again',
  description: `Those that were created in the period, oldest first and whatever became of them, each with its own webhook-id, so that the receiver recognises them. What the endpoint no longer listens to is left out. One call looks at ${replayAtMost} deliveries at most; \`next_from\` says where the next one continues.`,
  area: 'Deliveries',
  route: 'POST /v1/shops/{slug}/webhooks/{uuid}/replay',
  needs: 'admin',
  body: ReplayRequest,
  reply: Replayed,
  errors: ['webhook_not_found'],
  audit: {
    ...auditedEndpoint,
    isAct: true,
    outcome: (_context, { body }, reply) => ({
      from: body.from,
      to: body.to,
      replayed: (reply.body as Static<typeof Replayed>).replayed,
    }),
  },
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      const period = { from: instant(body.from), to: instant(body.to) }
      if (period.from > period.to) throw invalid(['body', 'to'], 'must not be before from')
      const endpoint = await findEndpoint(context, path.uuid)
      if (endpoint === undefined) {
        throw new ApiError('webhook_not_found', `This shop has no webhook endpoint ${path.uuid}.`)
      }
      const { replayed, nextFrom } = await replayDeliveries(context, endpoint, period)
      if (replayed > 0) await probeSoon(context, [path.uuid])
      if (replayed > 0) await wake(context, [{ shopId: context.shop.id, receiverId: path.uuid }])
      return { replayed, next_from: nextFrom?.toISOString() ?? null }
    }),
})
