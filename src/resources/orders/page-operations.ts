import { Refusal } from '../../foundation/errors.ts'
import { operation } from '../../foundation/operation.ts'
import { findOrderId } from './lookup-store.ts'
import { pageAddress } from './page-token.ts'
import { checkUpsert } from './rules.ts'
import { OrderReference, TrackingPageAddress } from './schema.ts'

export const getTrackpageUrl = operation({
  name: 'getTrackpageUrl',
  summary: "Get the address of a customer's tracking page",
  description: 'Whoever has the address sees the page: it is to be given to the customer only. It never changes.',
  area: 'Orders',
  route: 'POST /v1/shops/{slug}/orders/trackpage-url',
  needs: 'viewer',
  body: OrderReference,
  reply: TrackingPageAddress,
  refuses: ['order_not_found'],
  async handle(context, { body }) {
    const idType = body.id_type ?? 'order_number'
    checkUpsert({ id: body.id, id_type: idType, trackings: [] }, ['body'])
    const orderId = await findOrderId(context, idType, body.id)
    if (orderId === undefined) {
      throw new Refusal('order_not_found', `There is no order with the ${idType} ${JSON.stringify(body.id)}.`)
    }
    return { url: pageAddress(context, context.shop, orderId) }
  },
})
