import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../../src/platform/foundation/clock.ts'
import { FakeShopwareCore, hmac, readManifest } from '../conformance/fakes/shopware-core.ts'
import { newFolder } from '../harness/new-folder.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { payload } from '../harness/shop-systems.ts'
import { installShopware, manifestOf, transportTo } from '../harness/shopware.ts'

afterEach(() => clock.reset())

const coreFor = (shop: TestShop, options: Partial<FakeShopwareCore['options']> = {}) =>
  new FakeShopwareCore({
    url: 'https://shopware.example',
    transport: transportTo(shop),
    now: () => clock.now(),
    ...options,
  })

const stateOf = async (shop: TestShop) => (await shop.as('viewer').get('/shopware/app')).body
const ordersOf = async (shop: TestShop) => (await shop.as('viewer').get('/orders')).body
const place = (shopware: FakeShopwareCore) =>
  shopware.send('checkout.order.placed', payload('shopware-order').data.payload)

/** Everything that is stored about a shop's Shopware. */
async function rowOf(shop: TestShop): Promise<string> {
  const { database } = await theService()
  const { rows } = await sql<{ text: string }>`
    select shopware_apps::text as text from shopware_apps join shops on shops.id = shop_id
    where slug = ${shop.slug}`.execute(database.db)
  return rows[0]?.text ?? ''
}

describe('app for Shopware', () => {
  it('has a manifest that Shopware accepts, with a stable secret', async () => {
    const shop = await makeShop()
    const manifest = readManifest(await manifestOf(shop))
    expect(manifest.name).toMatch(/^Doorstep[A-Z0-9][A-Za-z0-9]*$/)
    expect(manifest.registrationUrl).toBe(`https://doorstep.example/v1/inbound/${shop.slug}/shopware/register`)
    expect(manifest.secret).toMatch(/^[A-Za-z0-9]{64}$/)
    expect(manifest.webhooks.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        'checkout.order.placed',
        'order.written',
        'state_enter.order_delivery.state.shipped',
        'app.deleted',
      ]),
    )
    expect(readManifest(await manifestOf(shop))).toEqual(manifest)
    expect(await rowOf(shop)).not.toContain(manifest.secret)
    expect((await shop.as('editor').get('/shopware/manifest.xml')).status).toBe(403)
    expect((await shop.as('editor').get('/shopware/app.zip')).status).toBe(403)
  })

  it('is downloaded as a ZIP file with a folder of its name', async () => {
    const shop = await makeShop()
    const auth = await shop.credentials('admin')
    const { app } = await theService()
    const reply = await app.inject({
      url: `/v1/shops/${shop.slug}/shopware/app.zip`,
      headers: { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.apiKey}`).toString('base64')}` },
    })
    const xml = await manifestOf(shop)
    const { name } = readManifest(xml)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${name}.zip"`,
      'cache-control': 'no-store',
    })
    const folder = newFolder()
    writeFileSync(join(folder, 'app.zip'), reply.rawPayload)
    const extract =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])'
    execFileSync('python3', ['-c', extract, join(folder, 'app.zip'), folder])
    expect(readFileSync(join(folder, name, 'manifest.xml'), 'utf8')).toBe(xml)
  })
})

describe('registering the app', () => {
  it('connects a Shopware, whose webhooks are then accepted', async () => {
    const shop = await makeShop()
    expect(await stateOf(shop)).toMatchObject({ name: null, is_connected: false })
    const shopware = await installShopware(shop)
    expect(await stateOf(shop)).toMatchObject({
      name: shopware.manifest?.name,
      is_connected: true,
      shop_url: 'https://shopware.example',
      shopware_version: '6.7.9.0',
      last_error: null,
    })
    expect((await place(shopware)).status).toBe(200)
    expect(await ordersOf(shop)).toMatchObject([{ order_number: '10001' }])
    const kept = await rowOf(shop)
    for (const secret of [shopware.shopSecret, shopware.clientSecret, shopware.clientId]) {
      expect(kept).not.toContain(secret)
    }
  })

  it('requires a signature with the secret of the app, over exactly these parameters', async () => {
    const shop = await makeShop()
    const shopware = coreFor(shop)
    const xml = await manifestOf(shop)
    const other = await manifestOf(await makeShop())
    const stolen = xml.replace(readManifest(xml).secret, readManifest(other).secret)
    await expect(shopware.install(stolen)).rejects.toThrow('failed with 401')
    const { registrationUrl, secret } = readManifest(xml)
    const query = `shop-id=abc&shop-url=https://shopware.example&timestamp=${Math.floor(clock.now().getTime() / 1_000)}`
    const path = `/v1/inbound/${shop.slug}/shopware/register`
    expect(registrationUrl.endsWith(path)).toBe(true)
    const send = (sent: string, signature: string) =>
      call('GET', `${path}?${sent}`, { auth: null, headers: { 'shopware-app-signature': signature } })
    for (const [sent, signature] of [
      [query, ''],
      [query, 'x'],
      [query.replace('shopware.example', 'evil.example'), hmac(secret, query)],
      [`${query}&shop-url=https://evil.example`, hmac(secret, query)],
      ['', hmac(secret, query)],
    ] as const) {
      expect(await send(sent, signature)).toMatchObject({ status: 401, body: { key: 'invalid_merchant_or_key' } })
    }
    expect(await stateOf(shop)).toMatchObject({ is_connected: false })
    // A proxy in between may encode what Shopware did not.
    const encoded = query.replace('https://', 'https%3A%2F%2F')
    expect((await send(encoded, hmac(secret, query))).status).toBe(200)
  })

  it.each([
    ['an id that is none', 'shop-id=a%20b&shop-url=https://shopware.example'],
    ['an address with a password', 'shop-id=abc&shop-url=https://user:password@shopware.example'],
    ['an address that is none', 'shop-id=abc&shop-url=javascript:alert(1)'],
    ['no address', 'shop-id=abc'],
  ])('rejects %s, though it is signed', async (_what, start) => {
    const shop = await makeShop()
    const { secret } = readManifest(await manifestOf(shop))
    const query = `${start}&timestamp=${Math.floor(clock.now().getTime() / 1_000)}`
    const headers = { 'shopware-app-signature': hmac(secret, query) }
    const path = `/v1/inbound/${shop.slug}/shopware/register?${query}`
    expect(await call('GET', path, { auth: null, headers })).toMatchObject({ status: 422 })
  })

  it('rejects a time that is far off, and a replayed registration or confirmation', async () => {
    const shop = await makeShop()
    const xml = await manifestOf(shop)
    const early = coreFor(shop, { now: () => new Date(clock.now().getTime() - hourMs) })
    await expect(early.install(xml)).rejects.toThrow('failed with 401')
    const shopware = coreFor(shop)
    await shopware.install(xml)
    const repeat = async () => {
      const transport = transportTo(shop)
      const replies = []
      for (const { method, url, headers, body } of shopware.sent) {
        replies.push((await transport(method, url, headers, body)).status)
      }
      return replies
    }
    expect(await repeat()).toEqual([401, 401])
    expect((await place(shopware)).status).toBe(200)
    // After the app was removed, a replayed registration must not reconnect its sender either.
    await shopware.uninstall()
    shopware.sent.splice(2)
    expect(await repeat()).toEqual([401, 401])
    expect(await stateOf(shop)).toMatchObject({ is_connected: false })
  })

  it('accepts one confirmation of the same Shopware within ten minutes', async () => {
    const shop = await makeShop()
    const shopware = coreFor(shop)
    shopware.manifest = readManifest(await manifestOf(shop))
    const first = await shopware.startRegistration()
    const wrong: Record<string, string>[] = [
      { shopUrl: 'https://evil.example' },
      { shopId: 'another' },
      { timestamp: '1' },
    ]
    for (const changes of wrong) {
      await expect(shopware.confirm(first.secret, first.confirmationUrl, changes)).rejects.toThrow('failed with 401')
    }
    await expect(shopware.confirm(first.secret, first.confirmationUrl, { apiKey: '' })).rejects.toThrow('422')
    await expect(shopware.confirm('another secret', first.confirmationUrl)).rejects.toThrow('failed with 401')
    clock.advance(11 * minuteMs)
    await expect(shopware.confirm(first.secret, first.confirmationUrl)).rejects.toThrow('failed with 401')
    const second = await shopware.startRegistration()
    await expect(shopware.confirm(first.secret, first.confirmationUrl)).rejects.toThrow('failed with 401')
    await shopware.confirm(second.secret, second.confirmationUrl)
    await expect(shopware.confirm(second.secret, second.confirmationUrl)).rejects.toThrow('failed with 401')
    expect(await stateOf(shop)).toMatchObject({ is_connected: true })
  })
})

describe('connected shop', () => {
  it('cannot be claimed by another Shopware with the same app, and stays connected', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    const xml = await manifestOf(shop)
    clock.advance(minuteMs)
    const others = {
      'another Shopware': coreFor(shop, { url: 'https://evil.example' }),
      'one that claims its id and address': coreFor(shop, { shopId: shopware.options.shopId }),
      'a copy with another id': Object.assign(coreFor(shop), { shopSecret: shopware.shopSecret }),
    }
    for (const [who, other] of Object.entries(others)) {
      await expect(other.install(xml), who).rejects.toThrow('failed with 401')
      clock.advance(secondMs)
    }
    expect(await stateOf(shop)).toMatchObject({ is_connected: true, shop_url: 'https://shopware.example' })
    expect((await place(shopware)).status).toBe(200)
  })

  it('requires both secrets for the confirmation too', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    clock.advance(minuteMs)
    const { secret, confirmationUrl } = await shopware.startRegistration()
    const listener = coreFor(shop, { shopId: shopware.options.shopId })
    await expect(listener.confirm(secret, confirmationUrl)).rejects.toThrow('failed with 401')
    expect((await place(shopware)).status).toBe(200)
    await shopware.confirm(secret, confirmationUrl)
  })

  it('replaces its secret, and accepts the one before for five minutes', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    const before = shopware.shopSecret ?? ''
    clock.advance(minuteMs)
    await shopware.register()
    expect(shopware.shopSecret).not.toBe(before)
    const order = payload('shopware-order').data.payload
    expect((await shopware.send('checkout.order.placed', order)).status).toBe(200)
    expect((await shopware.send('checkout.order.placed', order, before)).status).toBe(200)
    clock.advance(6 * minuteMs)
    expect((await shopware.send('checkout.order.placed', order, before)).status).toBe(401)
    expect((await shopware.send('checkout.order.placed', order)).status).toBe(200)
  })

  it('moves with its Shopware to another address', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    clock.advance(minuteMs)
    const copy = await shopware.send('checkout.order.placed', payload('shopware-order').data.payload)
    expect(copy.status).toBe(200)
    shopware.url = 'https://moved.example/shop/'
    expect((await place(shopware)).status).toBe(401)
    await shopware.register()
    expect(await stateOf(shop)).toMatchObject({ shop_url: 'https://moved.example/shop' })
    expect((await place(shopware)).status).toBe(200)
  })

  it('is disconnected when the app is removed, and connected when it is installed again', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    await shopware.written(['6e96bb30203e4355b6a10caeec40c1b3'])
    expect((await shopware.send('app.deleted', [], 'forged')).status).toBe(401)
    const secret = shopware.shopSecret
    expect((await shopware.uninstall()).status).toBe(200)
    expect(await stateOf(shop)).toMatchObject({ is_connected: false, shop_url: null })
    const order = payload('shopware-order').data.payload
    expect((await shopware.send('checkout.order.placed', order, secret)).status).toBe(401)
    clock.advance(minuteMs)
    // Older versions sign each registration like the first one.
    const older = coreFor(shop, { signsTwice: false, version: '6.5.8.0' })
    await older.install(await manifestOf(shop))
    expect((await place(older)).status).toBe(200)
    clock.advance(minuteMs)
    await expect(older.register()).rejects.toThrow('failed with 401')
    await older.uninstall()
    clock.advance(minuteMs)
    await older.register()
  })

  it('is disconnected by its admin, and an earlier download of the app cannot reconnect', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    const xml = await manifestOf(shop)
    expect((await shop.as('editor').delete('/shopware/app')).status).toBe(403)
    expect((await shop.as('admin').delete('/shopware/app')).status).toBe(200)
    expect(await stateOf(shop)).toMatchObject({ name: null, is_connected: false })
    expect((await place(shopware)).status).toBe(401)
    clock.advance(minuteMs)
    await expect(coreFor(shop).install(xml)).rejects.toThrow('failed with 401')
    await coreFor(shop).install(await manifestOf(shop))
    expect(await stateOf(shop)).toMatchObject({ is_connected: true })
  })

  it('does not accept what is signed with the secret of other shop systems', async () => {
    const shop = await makeShop()
    const shopware = await installShopware(shop)
    const { webhook_secret: secret } = (await shop.as('admin').get('/woocommerce/webhook-config')).body
    const order = payload('shopware-order').data.payload
    expect((await shopware.send('checkout.order.placed', order, secret)).status).toBe(401)
    expect(await ordersOf(shop)).toEqual([])
  })
})
