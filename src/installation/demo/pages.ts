import { pagePath } from '../../orders/page-addresses/page-token.ts'
import { findPageOfOrder } from '../../orders/page-addresses/store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { numberedOrders } from './orders.ts'
import { showcaseNumber } from './recent.ts'

/** A tracking page worth showing. */
export interface DemoPage {
  about: string
  path: string
}

const shown = [
  { about: 'a parcel on its way', trackingNumber: showcaseNumber },
  { about: 'one to be collected', trackingNumber: '3SKKEF008445717' },
  { about: 'one of two that is late', trackingNumber: '00340434161033375715' },
  { about: 'a return on its way back', trackingNumber: '6A04828428801' },
]

/** The tracking pages that the welcome text links to. */
export async function findDemoPages(context: ShopContext): Promise<DemoPage[]> {
  const pages: DemoPage[] = []
  for (const { about, trackingNumber } of shown) {
    const order = numberedOrders.find(({ parcels, sentBack }) =>
      [...parcels, ...(sentBack ? [sentBack] : [])].some((parcel) => parcel.trackingNumber === trackingNumber),
    )
    const found = order && (await findPageOfOrder(context, 'order_number', order.number))
    if (found === undefined) throw new Error(`no order of the demo shop has the parcel ${trackingNumber}`)
    pages.push({ about, path: pagePath(context, context.shop, found) })
  }
  return pages
}
