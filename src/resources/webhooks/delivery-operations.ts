import { toDelivery } from '../../deliveries/log-present.ts'
import { Delivery, DeliveryDetail, DeliveryFilter, Recovered, Recovery } from '../../deliveries/log-schema.ts'
import { getDelivery, listDeliveries, requeueDead, requeueDelivery } from '../../deliveries/log-store.ts'
import { wake } from '../../deliveries/wake-store.ts'
import type { ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { operation } from '../../foundation/operation.ts'
import { PageOf } from '../../foundation/page.ts'
import { instant, type Static } from '../../foundation/schema.ts'
import { inTransaction } from '../../foundation/transaction.ts'
import { auditedEndpoint } from './audit.ts'
import { findEndpoint } from './store.ts'

/** The number of dead letters that one call makes due again; a second call handles the next. */
const recoverAtMost = 10_000

export const listWebhookDeliveries = operation({
  name: 'listWebhookDeliveries',
  summary: 'List the deliveries to a webhook endpoint',
  description: 'Newest first, each with its attempts.',
  area: 'Deliveries',
  route: 'GET /v1/shops/{slug}/webhooks/{uuid}/deliveries',
  needs: 'admin',
  query: DeliveryFilter,
  reply: PageOf(Delivery),
  errors: ['webhook_not_found'],
  async handle(context, { path, query }) {
    await checkEndpoint(context, path.uuid)
    const page = await listDeliveries(context, path.uuid, query)
    return { ...page, items: page.items.map((delivery) => toDelivery(context, delivery)) }
  },
})

export const getDeliveryById = operation({
  name: 'getDelivery',
  summary: 'Get a delivery with its attempts and its payload',
  area: 'Deliveries',
  route: 'GET /v1/shops/{slug}/deliveries/{delivery_id}',
  needs: 'admin',
  reply: DeliveryDetail,
  errors: ['delivery_not_found'],
  async handle(context, { path }) {
    const delivery = await getDelivery(context, path.delivery_id)
    return { ...toDelivery(context, delivery), payload: JSON.parse(delivery.body) as Record<string, unknown> } // written by us
  },
})

export const resendDelivery = operation({
  name: 'resendDelivery',
  summary: 'Send a delivery again',
  description: 'Whatever its status is. It has the same webhook-id, so that the receiver recognises it.',
  area: 'Deliveries',
  route: 'POST /v1/shops/{slug}/deliveries/{delivery_id}/resend',
  needs: 'admin',
  reply: Delivery,
  errors: ['delivery_not_found'],
  audit: { kind: 'delivery' },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      const woken = await requeueDelivery(context, path.delivery_id)
      if (woken) await wake(context, [woken])
      return toDelivery(context, await getDelivery(context, path.delivery_id))
    }),
})

export const recoverDeliveries = operation({
  name: 'recoverDeliveries',
  summary: 'Send the dead letters of a webhook endpoint again',
  description: `Those created since the given time, newest first, ${recoverAtMost} at most.`,
  area: 'Deliveries',
  route: 'POST /v1/shops/{slug}/webhooks/{uuid}/recover',
  needs: 'admin',
  body: Recovery,
  reply: Recovered,
  errors: ['webhook_not_found'],
  audit: {
    ...auditedEndpoint,
    isAct: true,
    outcome: (_context, { body }, reply) => ({ since: body.since, ...(reply.body as Static<typeof Recovered>) }),
  },
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await checkEndpoint(context, path.uuid)
      const recovered = await requeueDead(context, path.uuid, instant(body.since), recoverAtMost)
      if (recovered > 0) await wake(context, [{ shopId: context.shop.id, target: path.uuid }])
      return { recovered }
    }),
})

async function checkEndpoint(context: ShopContext, id: string): Promise<void> {
  if ((await findEndpoint(context, id)) === undefined) {
    throw new ApiError('webhook_not_found', `This shop has no webhook endpoint ${id}.`)
  }
}
