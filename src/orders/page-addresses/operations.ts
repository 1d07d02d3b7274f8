import { ApiError } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { auditedOrder } from '../orders/audit.ts'
import { checkUpsert } from '../orders/rules.ts'
import { OrderReference, TrackingPageAddress } from '../orders/schema.ts'
import { pageAddress } from './page-token.ts'
import { findPageOfOrder, revokePage } from './store.ts'

export const getTrackpageUrl = operation({
  name: 'getTrackpageUrl',
  summary: "Get the address of a customer's tracking page",
  description:
    'Anyone with the address can see the page and act as the customer, so give it to the customer only. It stays the same until it is revoked. Those who only read see the page with `page-preview`.',
  area: 'Orders',
  route: 'POST /v1/shops/{slug}/orders/trackpage-url',
  needs: 'editor',
  body: OrderReference,
  reply: TrackingPageAddress,
  errors: ['order_not_found'],
  audit: { none: 'It changes nothing.' },
  async handle(context, { body }) {
    const idType = body.id_type ?? 'order_number'
    checkUpsert({ id: body.id, id_type: idType, trackings: [] }, ['body'])
    const order = await findPageOfOrder(context, idType, body.id)
    if (order === undefined) {
      throw new ApiError('order_not_found', `There is no order with the ${idType} ${JSON.stringify(body.id)}.`)
    }
    return { url: pageAddress(context, context.shop, order) }
  },
})

export const revokeTrackpage = operation({
  name: 'revokeTrackpage',
  summary: "Revoke the addresses of an order's tracking page",
  description:
    'For an address that reached the wrong person. Every address given out so far stops working at once, including those in messages already sent. The next call of `trackpage-url` and the next event contain a new one.',
  area: 'Orders',
  route: 'POST /v1/shops/{slug}/orders/{order_id}/revoke-page',
  needs: 'editor',
  reply: NullReply,
  errors: ['order_not_found'],
  audit: { ...auditedOrder, isAct: true },
  async handle(context, { path }) {
    if (!(await revokePage(context, path.order_id))) {
      throw new ApiError('order_not_found', `There is no order with the id ${path.order_id}.`)
    }
    return null
  },
})
