import { Replayed, ReplayRequest } from '../../delivery/log/schema.ts'
import { probeSoon } from '../../delivery/queue/circuit-store.ts'
import { wake } from '../../delivery/queue/wake-store.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { instant, type Static } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { auditedEndpoint } from './audit.ts'
import { replayAtMost, replayDeliveries } from './replay.ts'
import { findEndpoint } from './store.ts'

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
      if (replayed > 0) await wake(context, [{ shopId: context.shop.id, target: path.uuid }])
      return { replayed, next_from: nextFrom?.toISOString() ?? null }
    }),
})
