import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { FakeShopware } from '../conformance/fakes/shopware-server.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { mailUser, startMailServer } from '../harness/mail-server.ts'
import type { Receiver } from '../harness/receiver.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { shopifyOrders, shopwareOrders, wooCommerceOrders } from '../harness/shop-system-servers/orders.ts'
import { accessToken, startShopify } from '../harness/shop-system-servers/shopify.ts'
import { consumerKey, consumerSecret, startWooCommerce } from '../harness/shop-system-servers/woocommerce.ts'
import { senderOf } from '../harness/shop-systems.ts'
import { manifestOf } from '../harness/shopware.ts'

let service: Service
let dhl: Receiver
const opened: { close(): Promise<void> }[] = []

const at = (shop: TestShop, path = '') => `/dashboard/${shop.slug}/connect${path}`
const step = (page: Page, name: string) => page.locator('.stepper-step').filter({ hasText: name })

/** Brings in the orders of the last 90 days, and waits until they are here. */
async function bringIn(page: Page, system: string, count: number): Promise<void> {
  await page.getByLabel('The last 90 days').check()
  await page.getByRole('button', { name: `Bring in orders from ${system}` }).click()
  await page.getByText(`${count} orders were brought in`).first().waitFor()
}

describeInBrowser('connecting a shop in a browser', () => {
  beforeAll(async () => {
    ;({ service, dhl } = await openDashboard())
  }, 300_000)
  afterAll(async () => {
    dhl.respond = () => ({ status: 200 })
    for (const server of opened) await server.close()
  })

  it('connects a tracking provider, and says in words what is wrong', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, at(shop, '/providers/dhl'))
      await expectGoodLooks(page, 'connect-provider')
      await page.getByLabel('API key').fill('demo-key-0123456789')
      await page.getByRole('button', { name: 'Save credentials' }).click()
      await page.getByRole('button', { name: 'Check now' }).waitFor()
      await settled(page)
      dhl.respond = () => ({ status: 401, body: '{"detail":"Unauthorized"}' })
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('DHL does not accept the credentials').waitFor()
      await expectGoodLooks(page, 'connect-provider-wrong')
      dhl.respond = () => ({ status: 404, body: '{"title":"No result found"}' })
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByLabel('Testing').check()
      await page.getByText('It is being tested: nobody is notified').waitFor()
      await settled(page)
      await picture(page, 'connect-provider-on')
    })
    expect((await shop.as('viewer').get('/settings/carriers/providers')).body.dhl.status).toBe('testing')
    expect((await shop.as('viewer').get('/settings')).body.carriers.shipment_updates).toBe(true)
  })

  it('shows everything that can be connected, and where each stands', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}`)
      await page.getByRole('link', { name: 'Receive orders' }).click()
      await page.getByRole('heading', { name: 'Your shop system' }).waitFor()
      await expectGoodLooks(page, 'connect')
      for (const [link, title] of [
        ['Connect Klaviyo', 'Connect Klaviyo'],
        ['Connect DHL', 'Connect DHL'],
      ] as const) {
        await page.getByRole('link', { name: link }).click()
        await page.getByRole('heading', { name: title, level: 1 }).waitFor()
        await page.goBack()
      }
    })
    // Actions that need an admin are not offered to others.
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}`)
      expect(await page.getByRole('link', { name: 'Connect', exact: true }).count()).toBe(0)
    })
  })

  it('changes the secret that WooCommerce signs with, and accepts the former one meanwhile', async () => {
    const shop = await makeShop({}, service)
    const secretOf = async () => (await shop.as('admin').get('/woocommerce/webhook-config')).body.webhook_secret
    const former = await secretOf()
    for (const [language, words] of [
      ['en', ['Change the secret', 'Accept the former secret', 'Make a new secret', 'is accepted for 3 days']],
      ['de', ['Geheimnis wechseln', 'Bisheriges Geheimnis annehmen', 'Neues Geheimnis erzeugen', 'noch 3 Tage']],
    ] as const) {
      const [open, label, make, done] = words
      await visit({ as: { shop, role: 'admin' }, language }, async (page) => {
        const before = await secretOf()
        await go(page, at(shop, '/woocommerce?step=webhooks'))
        await page.getByText(before).waitFor()
        await page.getByRole('button', { name: open }).click()
        await page.getByLabel(label).selectOption('72')
        await settled(page)
        await expectGoodLooks(page, `connect-new-secret-${language}`)
        await page.getByRole('button', { name: make }).click()
        await page.getByText(done).waitFor()
        const after = await secretOf()
        expect(after).not.toBe(before)
        await page.getByText(after).waitFor()
      })
    }
    expect(await secretOf()).not.toBe(former)
  })

  it('takes a WooCommerce shop from nothing to 250 orders and a first campaign', async () => {
    const store = await startWooCommerce()
    opened.push(store)
    store.orders = wooCommerceOrders({ count: 250, days: 80, now: clock.now() })
    const shop = await makeShop({ name: 'Nordlicht' }, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, at(shop))
      await page.getByRole('link', { name: 'Connect WooCommerce' }).click()
      await page.getByRole('button', { name: 'Continue in WooCommerce' }).waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-woocommerce')
      await go(page, at(shop, '/woocommerce?step=webhooks'))
      await page.getByText('Waiting for WooCommerce').waitFor()
      await expectGoodLooks(page, 'connect-woocommerce-by-hand')

      // The merchant pastes the address; WooCommerce pings it, and the page shows it without being loaded again.
      const address = await page.locator('.copy-table div', { hasText: 'Delivery URL' }).locator('code').innerText()
      const ping = { auth: null, payload: 'webhook_id=7', headers: formHeaders }
      expect((await call('POST', new URL(address).pathname, ping, service)).status).toBe(200)
      await page.getByText('The ping arrived').waitFor()

      await go(page, at(shop, '/woocommerce?step=key'))
      await page.getByText('Enter a key by hand').click()
      const key = step(page, 'Connect the store').locator('details')
      await key.getByLabel('Address of the store').fill(store.url)
      await key.getByLabel('Consumer key').fill(consumerKey)
      await key.getByLabel('Consumer secret').fill(`${consumerSecret}x`)
      await key.getByRole('button', { name: 'Save and check' }).click()
      await page.getByText('WooCommerce does not accept the credentials').waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-woocommerce-wrong')
      await key.getByLabel('Consumer key').fill(consumerKey)
      await key.getByLabel('Consumer secret').fill(consumerSecret)
      await key.getByRole('button', { name: 'Save and check' }).click()
      await page.getByText('Connected to').first().waitFor()
      await go(page, at(shop, '/woocommerce?step=webhooks'))
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'Set them up again' }).waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-woocommerce-webhooks')
      await go(page, at(shop, '/woocommerce?step=orders'))
      await page.getByText('How far back?').waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-import')

      // In the middle the store asks for patience. The merchant pauses, comes back later, and goes on.
      store.beforePage = () => (store.pages === 3 ? slowDown : undefined)
      await page.getByLabel('The last 90 days').check()
      await page.getByRole('button', { name: 'Bring in orders from WooCommerce' }).click()
      await page.getByText('WooCommerce asked us to slow down').waitFor()
      await page.getByText('of 250 orders read').first().waitFor()
      await expectGoodLooks(page, 'connect-import-waiting')
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Bringing in orders is paused').first().waitFor()
      await go(page, at(shop, '/woocommerce?step=orders'))
      await page.getByText('Bringing in orders is paused').first().waitFor()
      await picture(page, 'connect-import-paused')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('250 orders were brought in').first().waitFor()
      await expectGoodLooks(page, 'connect-import-done')

      // They are in the list, and each has its history.
      await page.getByRole('link', { name: 'See the orders' }).click()
      await page
        .getByText(/of 250/)
        .first()
        .waitFor()
      await settled(page)
      await picture(page, 'connect-orders')
      await page.locator('tbody tr a').first().click()
      await page.getByRole('heading', { name: /W-/ }).first().waitFor()
      await settled(page)
      await picture(page, 'connect-order')

      await go(page, at(shop, '/woocommerce'))
      await page.getByRole('link', { name: 'Create your first campaign' }).waitFor()
      await expectGoodLooks(page, 'connect-next')

      await page.getByRole('link', { name: 'Create your first campaign' }).click()
      await page.waitForURL(/marketing\/campaigns/)
      await go(page, `/dashboard/${shop.slug}/marketing/campaigns/new`)
      await page.getByLabel('Name').fill('Thank you')
      await page.getByLabel('Headline').fill('Thank you for your order')
      await page.frameLocator('iframe').getByText('Thank you for your order').first().waitFor()
      await page.getByRole('button', { name: 'Create campaign' }).click()
      await page.getByRole('link', { name: 'Thank you' }).waitFor()
      await picture(page, 'connect-first-campaign')
    })
    const deliveries = await shop.as('admin').get('/deliveries')
    expect(deliveries.body).toEqual([])
    const campaigns = await shop.as('viewer').get('/campaigns')
    expect(campaigns.body.map(({ name }: { name: string }) => name)).toEqual(['Thank you'])
  })

  it('goes to the store with the address alone, and repairs what is switched off', async () => {
    const store = await startWooCommerce()
    opened.push(store)
    const shop = await makeShop({ name: 'Nordlicht' }, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, at(shop, '/woocommerce'))
      await page.getByLabel('Address of the store').first().fill(store.url)
      await page.getByRole('button', { name: 'Continue in WooCommerce' }).click()
      // This service has no https address, which stores need.
      await page.getByText('set PUBLIC_URL').first().waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-woocommerce-no-https')
      // The store's page, at an address that pages of tests may open.
      const url = `${new URL(page.url()).origin}/wc-auth/v1/authorize?app_name=Doorstep`
      const body = JSON.stringify({ url, expires_at: clock.now().toISOString() })
      await page.route('**/connections/woocommerce/authorize', (route) =>
        route.fulfill({ contentType: 'application/json', body }),
      )
      await page.getByRole('button', { name: 'Continue in WooCommerce' }).click()
      await page.waitForURL(/wc-auth/)
      const key = { store_url: store.url, consumer_key: consumerKey, consumer_secret: consumerSecret }
      await shop.as('admin').put('/keys/woocommerce', key)
      await shop.as('admin').post('/connections/woocommerce/check')
      await shop.as('admin').post('/connections/woocommerce/webhooks')
      await go(page, at(shop, '/woocommerce?step=key&success=1'))
      await page.getByText('Connected to').first().waitFor()
      expect(store.webhooks).toHaveLength(8)
      const [first] = store.webhooks
      if (first) first.status = 'disabled'
      await shop.as('admin').post('/connections/woocommerce/check')
      await go(page, at(shop, '/woocommerce?step=webhooks'))
      await page.getByText('WooCommerce has switched off webhooks').first().waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-woocommerce-disabled')
      await page.getByRole('button', { name: 'Repair the webhooks' }).click()
      await page.getByRole('button', { name: 'Set them up again' }).waitFor()
      expect(first?.status).toBe('active')
    })
  })

  it('takes a Shopify shop through token, webhooks, secret and orders', async () => {
    const store = await startShopify(() => clock.now())
    opened.push(store)
    store.acceptsHttp = true
    store.scopes = ['read_products']
    store.orders = shopifyOrders({ count: 20, days: 20, now: clock.now() })
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, at(shop, '/shopify'))
      await page.getByRole('button', { name: 'Copy' }).click()
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('read_orders,read_all_orders')
      await page.getByLabel('Address of the store').fill(store.url)
      await page.getByLabel('Admin API access token').fill(accessToken)
      await page.getByRole('button', { name: 'Save and check' }).click()
      await page.getByText('they may do too little').waitFor()
      await page.getByText('read_orders', { exact: true }).waitFor()
      await expectGoodLooks(page, 'connect-shopify-scopes')
      store.scopes = ['read_orders', 'read_fulfillments', 'read_products']
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByText('Connected to River & Pine, which sells in EUR.').waitFor()

      await page.getByRole('button', { name: 'Register them for me' }).waitFor()
      await expectGoodLooks(page, 'connect-shopify-webhooks')
      await page.getByRole('button', { name: 'Register them for me' }).click()
      await page.getByText('12 of 12 registered').waitFor()
      expect(store.subscriptions.size).toBe(12)

      await page.getByLabel('Client secret of the app').fill('shpss_0123456789abcdef')
      await page.getByRole('button', { name: 'Save the secret' }).click()
      await page.getByText('The secret is saved').waitFor()
      await expectGoodLooks(page, 'connect-shopify-secret')
      const { send } = await senderOf(shop, 'shopify', 'shpss_0123456789abcdef')
      const [first = {}] = store.orders
      expect((await send('orders/updated', first)).status).toBe(200)
      await page.getByText('The last message arrived').waitFor()

      // The order of the message is known already, and stays one.
      await bringIn(page, 'Shopify', 19)
      await picture(page, 'connect-shopify-done')
      await go(page, at(shop))
      await page.getByText('Connected', { exact: true }).first().waitFor()
      await picture(page, 'connect-after')
    })
  })

  it('takes a Shopware shop from the app to its orders, on a phone', async () => {
    const shop = await makeShop({}, service)
    const own = service.url
    const store = await FakeShopware.start({
      now: () => clock.now(),
      transport: (method, url, headers, body) =>
        call(method, url.replace(own, ''), { auth: null, headers, ...(body ? { payload: body } : {}) }, service),
    })
    opened.push({ close: () => store.server.stop() })
    for (const order of shopwareOrders({ count: 20, days: 20, now: clock.now() })) store.orders.set(order.id, order)
    await visit({ as: { shop, role: 'admin' }, size: phone }, async (page) => {
      await go(page, at(shop, '/shopware'))
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download the app (ZIP)' }).click()
      expect((await download).suggestedFilename()).toMatch(/\.zip$/)
      await page.getByText('Waiting for your Shopware to register').waitFor()
      await expectGoodLooks(page, 'connect-shopware')
      await store.install(await manifestOf(shop))
      await page.getByText('How far back?').waitFor()
      await step(page, 'Install it in Shopware').getByRole('button').first().click()
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('Shopware answers: everything works').waitFor()
      await expectGoodLooks(page, 'connect-shopware-installed')
      await page.getByRole('button', { name: 'Next step' }).click()
      await bringIn(page, 'Shopware', 20)
    })
  })

  it('speaks German, and connects a marketing system', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' }, language: 'de' }, async (page) => {
      await go(page, at(shop))
      await picture(page, 'connect-german')
      await go(page, at(shop, '/marketing/braze'))
      await expectGoodLooks(page, 'connect-marketing')
      await page.getByLabel('API-Schlüssel').fill('0123456789abcdef-0123')
      await page.getByRole('button', { name: 'Zugangsdaten speichern' }).click()
      await page.getByText('Zugangsdaten sind gespeichert.').waitFor()
      await picture(page, 'connect-marketing-test')
    })
  })

  it('connects a mail server, says in words what is wrong, and switches it on', async () => {
    const shop = await makeShop({}, service)
    const mails = await startMailServer({ allowInsecureAuth: true })
    opened.push(mails)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, at(shop, '/smtp'))
      await expectGoodLooks(page, 'connect-smtp')
      await page.getByLabel('Server', { exact: true }).fill(mails.host)
      await page.getByLabel('Encryption').selectOption('none')
      await page.getByLabel('Port').fill(String(mails.port))
      await page.getByLabel('User name').fill(mailUser.username)
      await page.getByLabel('Password').fill('wrong')
      await page.getByLabel("Sender's address").fill('orders@river-and-pine.example')
      await page.getByRole('button', { name: 'Save and check' }).click()
      await page.getByText('Your mail server does not accept the credentials').waitFor()
      await settled(page)
      await expectGoodLooks(page, 'connect-smtp-wrong')
      await step(page, 'Enter the mail server').getByRole('button').first().click()
      await page.getByLabel('User name').fill(mailUser.username)
      await page.getByLabel('Password').fill(mailUser.password)
      await page.getByRole('button', { name: 'Save and check' }).click()
      await page.getByText('Your mail server answers: everything works').waitFor()
      await settled(page)
      await picture(page, 'connect-smtp-works')
      await page.getByText('Send a test message').click()
      await page.getByLabel('E-mail address').fill('me@river-and-pine.example')
      await page.getByRole('button', { name: 'Send test message' }).click()
      await mails.until(1)
      await step(page, 'Switch it on').getByRole('button').first().click()
      await page.getByRole('switch').click()
      await page.getByRole('link', { name: 'Choose what is sent, and see every message' }).waitFor()
      await settled(page)
      await picture(page, 'connect-smtp-on')
      await go(page, at(shop))
      await page.getByText('Switched on: your customers get e-mail').waitFor()
      await picture(page, 'connect-with-mail')
      await go(page, `/dashboard/${shop.slug}/messages/integrations/smtp`)
      await page.getByRole('link', { name: 'Open the mail server' }).waitFor()
      await expectGoodLooks(page, 'integration-smtp')
      expect((await shop.as('viewer').get('/settings/mail')).body).toMatchObject({ source: 'shop', is_on: true })
      await go(page, at(shop, '/smtp?step=server'))
      await page.getByRole('button', { name: 'Remove mail server' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove mail server' }).click()
      await page.locator('.toast', { hasText: 'The credentials are removed' }).waitFor()
      await page.getByRole('button', { name: 'Remove mail server' }).waitFor({ state: 'detached' })
    })
    expect((await shop.as('viewer').get('/settings/mail')).body).toMatchObject({ source: null })
  })

  it('connects a mail server on a phone, in German', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' }, size: phone, language: 'de' }, async (page) => {
      await go(page, at(shop, '/smtp'))
      await page.getByLabel('Adresse des Absenders').waitFor()
      await expectGoodLooks(page, 'connect-smtp-phone')
    })
  })

  it('says what went wrong, and what does not exist', async () => {
    const shop = await makeShop({}, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await page.route('**/v1/shops/*/connections', (route) => route.fulfill({ status: 404, body: '{}' }))
      await go(page, at(shop, '/shopify'))
      await page.getByText('This did not work').waitFor()
      await go(page, at(shop, '/providers/nobody'))
      await page.getByText('There is no such page').waitFor()
    })
  })
})

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
const slowDown = { status: 429, headers: { 'retry-after': '600' }, body: '{"code":"too_many_requests"}' }
