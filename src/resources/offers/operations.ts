import { Refusal } from '../../foundation/errors.ts'
import { type Context, inTransaction, operation } from '../../foundation/operation.ts'
import { EmptyReply } from '../../foundation/schema.ts'
import { keepAssignment } from '../ab-tests/store.ts'
import { campaignNotFound } from '../campaigns/rules.ts'
import { openPageToken } from '../orders/page-token.ts'
import { decideFor, presentOffers } from './decide.ts'
import { ClickReport, ExposureReport, Offers, PageToken } from './schema.ts'
import { findOfferedOrder, type OfferedOrder, recordView } from './store.ts'

export const getOffers = operation({
  name: 'getOffers',
  summary: "What an order's customer is shown, and why",
  description:
    'A segment of the order comes before `default`, then the campaign that started last. The same order always gets the same answer until something of it, or of what the shop offers, changes.',
  area: 'Offers',
  route: 'GET /v1/shops/{slug}/orders/{order_id}/offers',
  needs: 'viewer',
  reply: Offers,
  refuses: ['order_not_found'],
  async handle(context, { path }) {
    const order = await findOfferedOrder(context, context.shop.id, path.order_id)
    if (order === undefined) throw orderNotFound()
    return presentOffers(context, order, await decideFor(context, order))
  },
})

export const recordExposure = operation({
  name: 'recordExposure',
  summary: 'Say that a page showed what the customer is offered',
  description:
    'For tracking pages. Counts once a day a customer, however often it is sent. The first exposure to an A/B test settles which variant the customer has.',
  area: 'Offers',
  route: 'POST /v1/public/{token}/exposures',
  needs: 'nobody',
  pathSchemas: { token: PageToken },
  body: ExposureReport,
  reply: EmptyReply,
  refuses: ['order_not_found', 'campaign_not_found'],
  async handle(context, { path, body }) {
    return report(context, path.token, 'exposure', body.campaign_id)
  },
})

export const recordClick = operation({
  name: 'recordClick',
  summary: 'Say that a customer followed a campaign',
  description: 'For tracking pages. Counts once a day a customer, however often it is sent.',
  area: 'Offers',
  route: 'POST /v1/public/{token}/clicks',
  needs: 'nobody',
  pathSchemas: { token: PageToken },
  body: ClickReport,
  reply: EmptyReply,
  refuses: ['order_not_found', 'campaign_not_found'],
  async handle(context, { path, body }) {
    return report(context, path.token, 'click', body.campaign_id)
  },
})

/** What the test gave is decided here again and never taken from the page: nobody can vote for a variant. */
async function report(
  context: Context,
  token: string,
  action: 'exposure' | 'click',
  givenId: string | null,
): Promise<undefined> {
  const order = await openOrder(context, token)
  const { compiled, decision } = await decideFor(context, order)
  const campaignId = givenId?.toLowerCase() ?? null
  // A page that was made before a change reports what it showed; that counts for the campaign and for no test.
  const test = decision.test?.campaignId === campaignId ? decision.test : null
  if (campaignId !== null && !compiled.campaignsById.has(campaignId)) throw campaignNotFound(campaignId)
  const subjectId = campaignId ?? test?.id
  if (subjectId === undefined) return undefined
  const who = { shopId: order.shop.id, customer: order.customer }
  await inTransaction(context, async (context) => {
    if (test) await keepAssignment(context, { ...who, testId: test.id, campaignId: test.campaignId })
    await recordView(context, { ...who, orderId: order.id, action, subjectId, testId: test?.id ?? null })
  })
  return undefined
}

async function openOrder(context: Context, token: string): Promise<OfferedOrder> {
  const name = openPageToken(context, token)
  const order = name && (await findOfferedOrder(context, name.shopId, name.orderId))
  if (order === undefined) throw orderNotFound()
  return order
}

function orderNotFound(): Refusal {
  return new Refusal('order_not_found', 'There is no such order.')
}
