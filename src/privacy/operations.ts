import type { ShopContext } from '../platform/foundation/context.ts'
import { operation } from '../platform/foundation/operation.ts'
import { eraseCustomer } from './erase.ts'
import { exportCustomer } from './export.ts'
import { countUnfinishedImports } from './find-store.ts'
import { countCustomerData } from './preview-store.ts'
import {
  CustomerErasure,
  CustomerExport,
  CustomerName,
  ErasurePreview,
  ExportRequest,
  maxOrders,
  maxPreviewed,
} from './schema.ts'

export const exportCustomerData = operation({
  name: 'exportCustomerData',
  summary: 'Export everything the shop stores about a customer',
  description: `Finds the customer by the e-mail address of their orders. Returns the orders with their shipments, events and claims, the notifications about them and their receivers, what campaigns showed the customer, and what shop systems have sent. A response contains at most ${maxOrders.toLocaleString('en')} orders; use \`continue_after\` to get the rest. The export of an unknown customer is empty.`,
  area: 'Privacy',
  route: 'POST /v1/shops/{slug}/privacy/export',
  needs: 'admin',
  body: ExportRequest,
  reply: CustomerExport,
  audit: {
    kind: 'customer',
    isRecordedAfter: true,
    id: (_context, _input, reply) => (reply?.body as CustomerExport | undefined)?.customer_hash,
    outcome: (_context, _input, reply) => ({ orders: (reply.body as CustomerExport).orders.length }), // its own reply
  },
  handle: (context, { body }) => exportCustomer(context, body.email, body.after ?? undefined),
})

export const previewCustomerErasure = operation({
  name: 'previewCustomerErasure',
  summary: "Count what erasing a customer's data would change",
  description: 'Nothing is changed. For an unknown customer, all counts are zero.',
  area: 'Privacy',
  route: 'POST /v1/shops/{slug}/privacy/erase/preview',
  needs: 'admin',
  body: CustomerName,
  reply: ErasurePreview,
  audit: { none: 'It changes nothing.' },
  handle: (context, { body }) => previewErasure(context, body.email),
})

export const eraseCustomerData = operation({
  name: 'eraseCustomerData',
  summary: "Erase a customer's data permanently",
  description:
    'Orders keep their order number, prices, products, country and dates. Everything that identifies the customer is removed wherever it is stored, photos and signatures are deleted, and links to the tracking pages of the orders stop working. Customer data that is sent for these orders later is ignored. This cannot be undone. Call it again to finish an interrupted erasure. For an unknown customer, all counts are zero. The response is the receipt: keep it as a proof. It and the entry in the audit log do not contain the address.',
  area: 'Privacy',
  route: 'POST /v1/shops/{slug}/privacy/erase',
  needs: 'admin',
  body: CustomerName,
  reply: CustomerErasure,
  errors: ['bad_gateway'],
  callsOut: true,
  audit: {
    kind: 'customer',
    id: (_context, _input, reply) => (reply?.body as CustomerErasure | undefined)?.customer_hash,
    outcome(_context, _input, reply) {
      const { customer_hash: _id, shop_slug: _shop, erased_by: _actor, ...receipt } = reply.body as CustomerErasure // its own reply
      return receipt
    },
  },
  handle: (context, { body }) => eraseCustomer(context, body.email),
})

/** The changes that erasing a customer would make. */
async function previewErasure(context: ShopContext, email: string): Promise<ErasurePreview> {
  const { orders, first_order_at, last_order_at, ...counts } = await countCustomerData(context, email, maxPreviewed)
  return {
    is_complete: orders <= maxPreviewed,
    orders: Math.min(orders, maxPreviewed),
    first_order_at: first_order_at?.toISOString() ?? null,
    last_order_at: last_order_at?.toISOString() ?? null,
    ...counts,
    unfinished_imports: await countUnfinishedImports(context),
  }
}
