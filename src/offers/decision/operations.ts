import { findOrderByToken } from '../../orders/page-addresses/store.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { EmptyReply } from '../../platform/foundation/schema.ts'
import { countView } from './count.ts'
import { decideFor, presentOffers } from './decide.ts'
import { ClickReport, ExposureReport, Offers, PageToken } from './schema.ts'
import { findOfferedOrder, type OfferedOrder } from './store.ts'

export const getOffers = operation({
  name: 'getOffers',
  summary: 'Get what the customer of an order is shown, and why',
  description:
    'A segment of the order comes before `default`, then the campaign that started last. The result stays the same until the order or the offers of the shop change.',
  area: 'Offers',
  route: 'GET /v1/shops/{slug}/orders/{order_id}/offers',
  needs: 'viewer',
  reply: Offers,
  errors: ['order_not_found'],
  async handle(context, { path }) {
    const order = await findOfferedOrder(context, context.shop.id, path.order_id)
    if (order === undefined) throw orderNotFound()
    return presentOffers(context, order, await decideFor(context, order))
  },
})

export const recordExposure = operation({
  name: 'recordExposure',
  summary: 'Record that a page showed the offers of a customer',
  description:
    'For tracking pages. Counts once per day per customer, however often it is sent. The first exposure to an A/B test assigns the variant of the customer.',
  area: 'Offers',
  route: 'POST /v1/public/{token}/exposures',
  needs: 'nobody',
  pathSchemas: { token: PageToken },
  body: ExposureReport,
  reply: EmptyReply,
  errors: ['order_not_found', 'campaign_not_found'],
  audit: { none: 'Customers send it, and campaigns count it.' },
  async handle(context, { path, body }) {
    return report(context, path.token, 'exposure', body.campaign_id)
  },
})

export const recordClick = operation({
  name: 'recordClick',
  summary: 'Record that a customer followed a campaign',
  description: 'For tracking pages. Counts once per day per customer, however often it is sent.',
  area: 'Offers',
  route: 'POST /v1/public/{token}/clicks',
  needs: 'nobody',
  pathSchemas: { token: PageToken },
  body: ClickReport,
  reply: EmptyReply,
  errors: ['order_not_found', 'campaign_not_found'],
  audit: { none: 'Customers send it, and campaigns count it.' },
  async handle(context, { path, body }) {
    return report(context, path.token, 'click', body.campaign_id)
  },
})

async function report(
  context: Context,
  token: string,
  action: 'exposure' | 'click',
  givenId: string | null,
): Promise<undefined> {
  const order = await openOrder(context, token)
  await countView(context, order, await decideFor(context, order), {
    action,
    campaignId: givenId?.toLowerCase() ?? null,
  })
  return undefined
}

async function openOrder(context: Context, token: string): Promise<OfferedOrder> {
  const name = await findOrderByToken(context, token)
  const order = name && (await findOfferedOrder(context, name.shopId, name.orderId))
  if (order === undefined) throw orderNotFound()
  return order
}

function orderNotFound(): ApiError {
  return new ApiError('order_not_found', 'There is no such order.')
}
