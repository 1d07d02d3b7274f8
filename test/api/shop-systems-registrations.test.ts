import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { topics } from '../../src/connections/shop-systems/schema.ts'
import { accessToken, startShopifySubscriptions } from '../conformance/fakes/shopify-subscriptions-server.ts'
import { findClosedPort, startLoopback } from '../harness/loopback.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const shopify = await startShopifySubscriptions()

beforeEach(() => {
  shopify.failure = undefined
  shopify.received.length = 0
  shopify.subscriptions.clear()
})
afterAll(() => shopify.close())

async function connected(fields: Record<string, unknown> = {}): Promise<TestShop> {
  const shop = await makeShop({ shop_admin_url: shopify.url, ...fields })
  await shop.as('admin').put('/keys/shopify', { api_key: accessToken })
  return shop
}

const create = (shop: TestShop, webhook_type = 'order-creation') =>
  shop.as('admin').post('/shopify/webhooks', { webhook_type })
const list = async (shop: TestShop) => (await shop.as('viewer').get('/shopify/webhooks')).body
const keyOf = ({ status, body }: { status: number; body: { key?: string } }) => `${status} ${body?.key}`

describe('registering a webhook with Shopify', () => {
  it('subscribes there and returns the registration', async () => {
    const shop = await connected()
    const { status, body } = await create(shop)
    expect(status).toBe(200)
    expect(body).toEqual({
      webhook_type: 'order-creation',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      uuid: expect.any(String),
      shop_slug: shop.slug,
      name: 'Order creation',
      shopify_id: expect.any(Number),
      topic: 'orders/create',
      hook_url: `https://doorstep.example/v1/inbound/${shop.slug}/shopify`,
      fields: [],
    })
    expect([...shopify.subscriptions.values()]).toMatchObject([
      { id: `gid://shopify/WebhookSubscription/${body.shopify_id}`, topic: 'ORDERS_CREATE', uri: body.hook_url },
    ])
    expect((await shop.as('viewer').get(`/shopify/webhooks/${body.uuid}`)).body).toEqual(body)
    expect((await shop.as('viewer').get('/shopify/webhooks/type/order-creation')).body).toEqual(body)
  })

  it('accepts every type, and lists them in pages', async () => {
    const shop = await connected()
    for (const type of Object.keys(topics)) expect((await create(shop, type)).status).toBe(200)
    expect(shopify.subscriptions.size).toBe(12)
    expect(new Map((await list(shop)).map((one: Record<string, string>) => [one.webhook_type, one.topic]))).toEqual(
      new Map(Object.entries(topics)),
    )
    const { body, headers } = await shop.as('viewer').get('/shopify/webhooks', { per_page: 5, page: 3 })
    expect(body).toHaveLength(2)
    expect(headers['x-total-count']).toBe('12')
  })

  it('rejects a second one of the same type without calling Shopify', async () => {
    const shop = await connected()
    await create(shop)
    shopify.received.length = 0
    expect(keyOf(await create(shop))).toBe('409 webhook_exists')
    expect(shopify.received).toEqual([])
  })

  it('stores one of several concurrent registrations', async () => {
    const shop = await connected()
    const replies = await Promise.all([create(shop), create(shop), create(shop)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await list(shop)).toHaveLength(1)
  })

  it('adopts a subscription whose response was lost', async () => {
    const shop = await connected()
    const uri = `https://doorstep.example/v1/inbound/${shop.slug}/shopify`
    const id = 'gid://shopify/WebhookSubscription/42'
    shopify.subscriptions.set('ORDERS_CREATE', { id, uri, topic: 'ORDERS_CREATE', includeFields: ['id'] })
    expect((await create(shop)).body).toMatchObject({ shopify_id: 42, fields: ['id'] })
  })

  it('stores a number above 2^53 exactly, and deletes by it', async () => {
    const shop = await connected()
    const uri = `https://doorstep.example/v1/inbound/${shop.slug}/shopify`
    const id = 'gid://shopify/WebhookSubscription/9007199254740993'
    shopify.subscriptions.set('ORDERS_CREATE', { id, uri, topic: 'ORDERS_CREATE', includeFields: [] })
    const { body } = await create(shop)
    expect(body.shopify_id).toBe('9007199254740993')
    expect((await list(shop))[0].shopify_id).toBe('9007199254740993')
    expect((await shop.as('admin').delete(`/shopify/webhooks/${body.uuid}`)).status).toBe(200)
    expect(shopify.subscriptions.size).toBe(0)
  })

  it('rejects an unknown type, and names the field', async () => {
    const reply = await create(await connected(), 'refund-creation')
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'webhook_type'] }] } })
  })
})

describe('deleting a registration', () => {
  it.each(['uuid', 'type'] as const)('by its %s removes it here and at Shopify', async (by) => {
    const shop = await connected()
    const { uuid, webhook_type } = (await create(shop)).body
    const path = by === 'uuid' ? `/shopify/webhooks/${uuid}` : `/shopify/webhooks/type/${webhook_type}`
    expect(await shop.as('admin').delete(path)).toMatchObject({ status: 200, text: 'null' })
    expect(shopify.subscriptions.size).toBe(0)
    expect(await list(shop)).toEqual([])
    expect(keyOf(await shop.as('admin').delete(path))).toBe('404 webhook_not_found')
    expect(keyOf(await shop.as('viewer').get(path))).toBe('404 webhook_not_found')
    expect((await create(shop)).status).toBe(200)
  })

  it('succeeds if Shopify no longer has it', async () => {
    const shop = await connected()
    const { uuid } = (await create(shop)).body
    shopify.subscriptions.clear()
    expect((await shop.as('admin').delete(`/shopify/webhooks/${uuid}`)).status).toBe(200)
    expect(await list(shop)).toEqual([])
  })

  it('of another shop is not possible', async () => {
    const { uuid } = (await create(await connected())).body
    const stranger = await connected()
    expect(keyOf(await stranger.as('admin').delete(`/shopify/webhooks/${uuid}`))).toBe('404 webhook_not_found')
    expect(keyOf(await stranger.as('viewer').get(`/shopify/webhooks/${uuid}`))).toBe('404 webhook_not_found')
    expect(shopify.subscriptions.size).toBe(1)
  })
})

const errorOf = (code: string) => ({ status: 200, body: { errors: [{ message: code, extensions: { code } }] } })
const userError = (message: string) => ({
  status: 200,
  body: {
    data: {
      webhookSubscriptionCreate: { webhookSubscription: null, userErrors: [{ message }] },
      webhookSubscriptionDelete: { deletedWebhookSubscriptionId: null, userErrors: [{ message }] },
    },
  },
})

describe('failing Shopify', () => {
  it.each([
    ['400 partner_key_missing_permissions', { status: 401, body: { errors: '[API] Invalid API key' } }],
    ['400 partner_key_missing_permissions', { status: 403, body: '' }],
    ['400 partner_key_missing_permissions', errorOf('ACCESS_DENIED')],
    ['502 bad_gateway', errorOf('THROTTLED')],
    ['502 bad_gateway', errorOf('INTERNAL_SERVER_ERROR')],
    ['502 bad_gateway', errorOf('undefinedField')],
    ['502 bad_gateway', { status: 500, body: 'oops' }],
    ['502 bad_gateway', { status: 429, body: '{}' }],
    ['502 bad_gateway', { status: 302, body: '' }],
    ['502 bad_gateway', { status: 200, body: '<html>' }],
    ['502 bad_gateway', { status: 200, body: '{"data":' }],
    ['502 bad_gateway', { status: 200, body: '{"data":{"webhookSubscriptionCreate":null}}' }],
    ['502 bad_gateway', userError('Address is not allowed')],
  ])('returns %s for %j, and stores nothing', async (expected, failure) => {
    const shop = await connected()
    shopify.failure = failure
    expect(keyOf(await create(shop))).toBe(expected)
    expect(await list(shop)).toEqual([])
  })

  it('returns partner_key_missing_permissions if the token may not follow the topic', async () => {
    const shop = await connected()
    shopify.failure = userError('You cannot create a webhook subscription with the specified topic')
    expect(keyOf(await create(shop))).toBe('400 partner_key_missing_permissions')
  })

  it.each([
    ['400 partner_key_missing_permissions', errorOf('ACCESS_DENIED')],
    ['502 bad_gateway', { status: 503, body: '' }],
    ['502 bad_gateway', userError('Something went wrong')],
  ])('returns %s to a deletion for %j, and does not delete the registration', async (expected, failure) => {
    const shop = await connected()
    const { uuid } = (await create(shop)).body
    shopify.failure = failure
    expect(keyOf(await shop.as('admin').delete(`/shopify/webhooks/${uuid}`))).toBe(expected)
    expect(await list(shop)).toHaveLength(1)
  })

  it('returns bad_gateway if there is no response, or an incomplete one', async () => {
    const nobody = await connected({ shop_admin_url: `http://127.0.0.1:${await findClosedPort()}` })
    expect(keyOf(await create(nobody))).toBe('502 bad_gateway')
    const { port } = await startLoopback((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'))
    const broken = await connected({ shop_admin_url: `http://127.0.0.1:${port}` })
    expect(keyOf(await create(broken))).toBe('502 bad_gateway')
  })

  it('never shows the access token', async () => {
    const shop = await connected()
    shopify.failure = userError(`the token ${accessToken} is odd`)
    expect((await create(shop)).text).not.toContain(accessToken)
  })
})

describe('missing prerequisites', () => {
  it('returns partner_key_not_found if no access token is set', async () => {
    const shop = await makeShop({ shop_admin_url: shopify.url })
    expect(keyOf(await create(shop))).toBe('404 partner_key_not_found')
    const other = await connected()
    const { uuid } = (await create(other)).body
    await other.as('admin').delete('/keys/shopify')
    expect(keyOf(await other.as('admin').delete(`/shopify/webhooks/${uuid}`))).toBe('404 partner_key_not_found')
  })

  it('requires the address of the shop', async () => {
    const shop = await connected({ shop_admin_url: null })
    expect(await create(shop)).toMatchObject({ status: 422, body: { errors: [{ loc: ['shop', 'shop_admin_url'] }] } })
  })
})

describe('editor', () => {
  it('can neither register nor delete a webhook', async () => {
    const shop = await connected()
    expect((await shop.as('editor').post('/shopify/webhooks', { webhook_type: 'order-creation' })).status).toBe(403)
    expect((await shop.as('editor').delete('/shopify/webhooks/type/order-creation')).status).toBe(403)
  })
})
