import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../src/http/example.ts'
import { operations } from '../../src/operations.ts'
import { errorStatus } from '../../src/platform/foundation/errors.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import { multipart } from '../harness/multipart.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { call, openTestDatabase, type Reply, startTestService } from '../harness/service.ts'
import { makeWholeShops, sumsOf, type WholeShop } from '../harness/whole-shop.ts'

const service = await startTestService({}, await openTestDatabase())
afterAll(() => service.stop())
const { db } = service.database

const [own, other] = (await makeWholeShops(service, 2)) as [WholeShop, WholeShop]
// The harness inserts these under the same id in every shop.
await sql`delete from backfill_problems where shop_id = ${other.id}`.execute(db)
for (const table of ['backfills', 'mail_recipients', 'shopify_registrations'])
  await sql`update ${sql.table(table)} set id = gen_random_uuid() where shop_id = ${other.id}`.execute(db)

await sql`update shopify_registrations set webhook_type = 'order-creation' where shop_id = ${other.id}`.execute(db)

/** Both shops have an order with this number and this external id, and a parcel with this number. */
const orderNumber = uniqueNumber()
const trackingNumber = uniqueNumber('SAME')
const ownOrder = await placeOrder(own)
const otherOrder = await placeOrder(other)

async function placeOrder({ made }: WholeShop): Promise<{ uuid: string; external_id: string; shipmentId: string }> {
  const editor = made.as('editor')
  await editor.put(
    '/orders',
    upsertOf(orderNumber, {}, [{ tracking_number: trackingNumber, carrier_reference: 'dhl' }]),
  )
  const [order] = (await editor.get('/orders', { order_number: orderNumber })).body
  return { ...order, shipmentId: order.trackings[0].uuid }
}

/** Any record of the other shop. */
async function idIn(table: string, column = 'id'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(column)}::text as id from ${sql.table(table)} where shop_id = ${other.id} order by 1 desc limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? `no row in ${table}`
}

/** Records of the other shop, by the part of a path that ends with their id. */
const otherIds: Record<string, string> = {
  'ab-tests/{uuid}': await idIn('ab_tests'),
  'announcements/{uuid}': await idIn('announcements'),
  'api-keys/{token_id}': await idIn('api_key_shops', 'key_id'),
  'automations/{automation_id}': await idIn('automations'),
  'backfills/{backfill_id}': await idIn('backfills'),
  'campaigns/{uuid}': await idIn('campaigns'),
  'claims/{uuid}': other.filled.claimIds[0] ?? '',
  'deals/{deal_id}': await idIn('deals'),
  'deliveries/{delivery_id}': await idIn('deliveries'),
  'discounts/{uuid}': await idIn('discounts'),
  'exceptions/{shipment_id}': other.filled.shipmentId,
  'imports/{import_id}': await idIn('imports'),
  'internal-triggers/{trigger_id}': await idIn('internal_triggers'),
  'suppressions/{uuid}': await idIn('mail_recipients'),
  'notes/{uuid}': await idIn('notes'),
  'orders/{order_id}': otherOrder.uuid,
  'orders/{order_identifier}': otherOrder.uuid,
  'shipments/{shipment_id}': otherOrder.shipmentId,
  'shopify/webhooks/{uuid}': await idIn('shopify_registrations'),
  'webhooks/{uuid}': await idIn('webhook_endpoints'),
}

/** Parameters that are no ids of records: each shop has its own of the same name. */
const namedValues: Record<string, string> = {
  group: 'shipment_delivered',
  image_type: 'claim',
  integration: 'webhook',
  language: 'en',
  name: 'Customer',
  product_id: 'p1',
  product_position: '1',
  provider: 'dhl',
  tracking_number: trackingNumber,
  variant_id: 'v1',
  webhook_type: 'orders',
}

/** The part of a path that ends with an id; undefined for a parameter that only names something. */
function partOf(path: string, parameter: string): string | undefined {
  if (parameter in namedValues) return undefined
  const before = path.slice(path.indexOf('{slug}') + '{slug}/'.length, path.indexOf(`{${parameter}}`))
  const known = Object.keys(otherIds).filter((part) => `/${before}{${parameter}}`.endsWith(`/${part}`))
  return known.sort((left, right) => right.length - left.length)[0] ?? `${before}{${parameter}}`
}

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const idsIn = ({ path }: Operation) =>
  parametersOf(path).filter((name) => name !== 'slug' && partOf(path, name) !== undefined)
const withIds = operations.filter((operation) => operation.isShopScoped && idsIn(operation).length > 0)

function pathOf({ path }: Operation, slug: string, own: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'slug') return slug
    return own[name] ?? namedValues[name] ?? otherIds[partOf(path, name) ?? ''] ?? ''
  })
}

/** For operations whose example says nothing that can be done to any record. */
const bodies: Record<string, unknown> = { updateException: { state: 'resolved' } }
const picture = { content: Buffer.from('a picture'), filename: 'picture.png', contentType: 'image/png' }

async function send(operation: Operation, path: string, { made }: WholeShop): Promise<Reply> {
  const { name, method, needs, body, file } = operation
  const auth = needs === 'superadmin' ? {} : { auth: await made.credentials('admin') }
  if (file) return call(method, path, { ...auth, ...multipart([{ name: file, ...picture }]) }, service)
  return call(method, path, { ...auth, ...(body ? { body: bodies[name] ?? exampleOf(body) } : {}) }, service)
}

const notFoundKeys = ({ errors }: Operation) => errors.filter((key) => errorStatus[key] === 404)

describe("another shop's records", () => {
  it('are known for each path that has an id', () => {
    const parts = withIds.flatMap(({ path }) => parametersOf(path).flatMap((name) => partOf(path, name) ?? []))
    expect(parts.filter((part) => !(part in otherIds) && part !== '{slug}')).toEqual([])
    expect(Object.entries(otherIds).filter(([, id]) => !/^([0-9a-f-]{36}|\w{12})$/.test(id))).toEqual([])
  })

  it.each(withIds.filter(({ method }) => method === 'GET').map((each) => [each.name, each] as const))(
    'are there for their own shop: %s',
    async (_name, operation) => {
      expect((await send(operation, pathOf(operation, other.made.slug), other)).status).toBe(200)
    },
  )

  it.each(withIds.map((each) => [each.name, each] as const))('are not found by %s', async (_name, operation) => {
    const before = await sumsOf(service, other.id)
    const { status, body } = await send(operation, pathOf(operation, own.made.slug), own)
    expect({ status, key: body?.key }).toEqual({ status: 404, key: expect.any(String) })
    expect(notFoundKeys(operation)).toContain(body.key)
    expect(await sumsOf(service, other.id)).toEqual(before)
  })
})

describe('two shops with the same order and parcel numbers', () => {
  it('have different records', () => {
    expect(ownOrder).toMatchObject({ order_number: orderNumber, external_id: otherOrder.external_id })
    expect([ownOrder.uuid, ownOrder.shipmentId]).not.toEqual([otherOrder.uuid, otherOrder.shipmentId])
  })

  it.each([
    ['/orders', { order_number: orderNumber }],
    ['/orders', { external_id: ownOrder.external_id }],
  ])('each find their own order: %s %j', async (path, query) => {
    const { body } = await own.made.as('viewer').get(path, query)
    expect(body.map(({ uuid }: { uuid: string }) => uuid)).toEqual([ownOrder.uuid])
  })

  it('each find and change their own parcel', async () => {
    const before = await sumsOf(service, other.id)
    const editor = own.made.as('editor')
    const { shipments } = (await editor.get('/shipments', { tracking_number: trackingNumber })).body
    expect(shipments.map(({ uuid }: { uuid: string }) => uuid)).toEqual([ownOrder.shipmentId])
    const scan = { id: trackingNumber, event_name: 'OUT_FOR_DELIVERY' }
    expect((await editor.post('/shipment-events', scan)).status).toBe(200)
    expect((await editor.get(`/shipments/${ownOrder.shipmentId}`)).body.phase).toBe('in_delivery')
    await editor.put('/orders', upsertOf(orderNumber, { total_order_price: 1 }))
    expect((await editor.delete(`/orders/${orderNumber}/shipments/${trackingNumber}`)).status).toBe(200)
    expect(await sumsOf(service, other.id)).toEqual(before)
  })
})
