import { operation } from '../../foundation/operation.ts'
import { eraseCustomer } from './erase.ts'
import { exportCustomer } from './export.ts'
import { CustomerErasure, CustomerExport, CustomerName, ExportRequest, mostOrders } from './schema.ts'

export const exportCustomerData = operation({
  name: 'exportCustomerData',
  summary: 'Export everything the shop keeps about a customer',
  description: `By the e-mail address of the orders: these with their shipments and events, claims, what was told of them and to whom, what campaigns showed the customer, and what shop systems have sent. An answer holds ${mostOrders.toLocaleString('en')} orders at the most; \`continue_after\` leads to the rest. A customer nobody knows has an empty export.`,
  area: 'Privacy',
  route: 'POST /v1/shops/{slug}/privacy/export',
  needs: 'admin',
  body: ExportRequest,
  reply: CustomerExport,
  handle: (context, { body }) => exportCustomer(context, body.email, body.after ?? undefined),
})

export const eraseCustomerData = operation({
  name: 'eraseCustomerData',
  summary: "Erase a customer's data for good",
  description:
    'Orders stay as numbers: order number, prices, products, country and dates. What tells whose they were is removed wherever it is kept, photos and signatures are deleted, and the tracking pages of the orders end. What is sent of the customer for these orders later is not taken over. There is no way back. Calling it again finishes what was interrupted; a customer nobody knows is answered with zeros.',
  area: 'Privacy',
  route: 'POST /v1/shops/{slug}/privacy/erase',
  needs: 'admin',
  body: CustomerName,
  reply: CustomerErasure,
  errors: ['bad_gateway'],
  callsOut: true,
  handle: (context, { body }) => eraseCustomer(context, body.email),
})
