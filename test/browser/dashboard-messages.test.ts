import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

describeInBrowser('messages in the dashboard', () => {
  let service: Service
  let receiver: Receiver
  const receivers: Receiver[] = []

  beforeAll(async () => {
    service = (await openDashboard()).service
  })
  afterAll(async () => {
    for (const each of receivers) await each.close()
  })

  async function openShop(): Promise<{ shop: TestShop; admin: ShopCaller }> {
    receiver = await startReceiver()
    receivers.push(receiver)
    const shop = await makeShop({}, service)
    return { shop, admin: shop.as('admin') }
  }

  async function deliverParcel(admin: ShopCaller, event_name = 'SUCCESSFULLY_DELIVERED'): Promise<string> {
    const number = uniqueNumber('M')
    const order = await createOrder(admin, { order_placed_at: undefined }, [{ tracking_number: number }])
    await admin.post('/shipment-events?notify=true', { id: number, event_name })
    await settle(service)
    return order.order_number
  }

  async function button(page: Page, name: string | RegExp): Promise<void> {
    await page.getByRole('button', { name }).first().click()
  }

  describe('webhooks', () => {
    it('are created with chosen events, and the secret is shown once', async () => {
      const { shop, admin } = await openShop()
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/webhooks`)
        await page.getByText('No endpoint yet').waitFor()
        await expectGoodLooks(page, 'webhooks-empty')
        await button(page, 'New endpoint')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Create endpoint' }).click()
        await dialog.getByText('This was not saved yet').waitFor()
        await dialog.getByLabel('Address (URL)').fill(`${receiver.url}/hook`)
        await dialog.getByLabel('Description').fill('The warehouse')
        await dialog.getByLabel('Only some events').check()
        await dialog.getByRole('checkbox', { name: /^Delivered/ }).check()
        await dialog.getByPlaceholder('Find an event').fill('out for')
        await dialog
          .getByRole('checkbox', { name: /out for delivery/i })
          .last()
          .check()
        await dialog.getByRole('button', { name: 'Add condition' }).click()
        const condition = dialog.getByRole('group', { name: 'Condition 1' })
        await condition.getByLabel('What').selectOption('context.order.total_order_price')
        await condition.getByLabel('Value').fill('100')
        await dialog.getByRole('button', { name: 'Add header' }).click()
        const header = dialog.getByRole('group', { name: 'Header 1' })
        await header.getByLabel('Name').fill('X-Api-Key')
        await header.getByLabel('Value').fill('a key of the warehouse')
        await expectGoodLooks(page, 'webhook-new')
        await dialog.getByRole('button', { name: 'Create endpoint' }).click()
        await dialog.getByText('it is shown only this once').waitFor()
        await picture(page, 'webhook-secret')
        const [endpoint] = (await admin.get('/webhooks')).body
        expect(endpoint.description).toBe('The warehouse')
        expect(endpoint.enabled_events).toContain('shipments/delivered')
        expect(endpoint.conditions).toMatchObject([{ operator: 'gte', value: 100 }])
        expect(endpoint.headers).toEqual([{ name: 'X-Api-Key', value: null }])
        expect(endpoint.enabled_events.some((filter: string) => filter.startsWith('shipments/in_delivery'))).toBe(true)
        await dialog.getByRole('link', { name: 'To the endpoint' }).click()
        await page.waitForURL(`**/messages/webhooks/${endpoint.uuid}`)
        await settled(page)
        await page.getByText('Nothing was sent here yet').waitFor()
        await expectGoodLooks(page, 'webhook-quiet')
      })
    })

    it('that fail say why, show the exact request and response, and send again', async () => {
      const { shop, admin } = await openShop()
      const { body: endpoint } = await admin.post('/webhooks', {
        url: `${receiver.url}/hook`,
        description: 'The warehouse',
        enabled_events: ['shipments/delivered'],
      })
      await deliverParcel(admin)
      receiver.respond = () => ({ status: 503, body: '{"error":"database is down"}' })
      await deliverParcel(admin)
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/webhooks`)
        await page.getByText('Failing').waitFor()
        await expectGoodLooks(page, 'webhooks')
        await page.getByRole('link', { name: `${receiver.url}/***`, exact: true }).click()
        await settled(page)
        await page.getByText('Messages do not get through').waitFor()
        const latest = page.getByRole('region', { name: 'Latest message' })
        await latest.getByText('The receiver had an error of its own').waitFor()
        await latest.getByText('database is down').waitFor()
        await expect
          .poll(() => latest.getByRole('region', { name: 'Address and headers' }).innerText())
          .toContain(String(receiver.received.at(-1)?.headers['webhook-signature']))
        await expectGoodLooks(page, 'webhook')
        await service.database.db
          .updateTable('webhook_endpoints')
          .set({ circuit_opened_at: new Date(), probe_at: new Date(Date.now() + 8 * 60_000) })
          .where('id', '=', endpoint.uuid)
          .execute()
        await page.reload()
        await page.getByText('Messages wait until this endpoint answers again').waitFor()
        await page.getByText('The next try is in 8 minutes').waitFor()
        await expectGoodLooks(page, 'webhook-waiting')
        receiver.respond = () => ({ status: 200, body: 'ok' })
        const before = receiver.received.length
        await latest.getByRole('button', { name: 'Send again' }).click()
        await receiver.until(before + 1)
        await settle(service)
        await latest.getByText('Answered 200').waitFor()
      })
    })

    it('are paused and resumed with undo, rotated, recovered and deleted with the consequences in numbers', async () => {
      const { shop, admin } = await openShop()
      receiver.respond = () => ({ status: 500 })
      const { body: endpoint } = await admin.post('/webhooks', {
        url: receiver.url,
        enabled_events: ['shipments/delivered'],
      })
      await deliverParcel(admin)
      await deliverParcel(admin)
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/webhooks/${endpoint.uuid}`)
        const choose = async (name: string) => {
          await button(page, 'More')
          await page.getByRole('menuitem', { name }).click()
        }
        await choose('Pause')
        await page.getByText('This endpoint is paused').waitFor()
        await picture(page, 'webhook-paused')
        await button(page, 'Undo')
        await page.getByText('This endpoint is paused').waitFor({ state: 'detached' })
        await choose('Change the secret')
        await button(page, 'Make a new secret')
        await page.getByText('it is shown only this once').waitFor()
        await button(page, 'I have stored it')
        await choose('Send again what was given up')
        await page.getByText('Nothing that was given up').waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await choose('Delete endpoint')
        await page.getByText('2 waiting messages will not be sent.').waitFor()
        await expectGoodLooks(page, 'webhook-delete')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click()
        await page.getByText('No endpoint yet').waitFor()
        expect((await admin.get('/webhooks')).body).toEqual([])
      })
    })

    it('have a log that is filtered in the address; chosen messages and those of a period are sent again', async () => {
      const { shop, admin } = await openShop()
      const { body: endpoint } = await admin.post('/webhooks', { url: receiver.url })
      for (let parcel = 0; parcel < 12; parcel += 1) await deliverParcel(admin)
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        const path = `/dashboard/${shop.slug}/messages/webhooks/${endpoint.uuid}`
        await go(page, `${path}?event=SUCCESSFULLY_DELIVERED&status=delivered`)
        const log = page.getByRole('region', { name: 'Log' }).first()
        await expect.poll(() => log.getByRole('row').count()).toBe(13)
        const boxes = log.getByRole('checkbox')
        await boxes.nth(1).check()
        await boxes.nth(2).check()
        await log.getByText('2 selected').waitFor()
        await picture(page, 'webhook-bulk')
        const before = receiver.received.length
        await log.getByRole('button', { name: 'Send again' }).click()
        await receiver.until(before + 2)
        await go(page, path)
        await page.getByRole('button', { name: 'Next' }).click()
        await page.waitForURL('**page=2*')
        await settle(service)
        const { length: sent } = receiver.received
        await button(page, 'More')
        await page.getByRole('menuitem', { name: 'Send a period again' }).click()
        const dialog = page.getByRole('dialog')
        await expectGoodLooks(page, 'webhook-replay')
        await dialog.getByLabel('To').fill('2020-01-01T00:00')
        await dialog.getByText('Must not be before the beginning.').waitFor()
        await dialog.getByLabel('To').fill('2100-01-01T00:00')
        await dialog.getByRole('button', { name: 'Send again' }).click()
        await page.getByText('36 messages are sent again').waitFor()
        await receiver.until(sent + 36)
      })
    })
  })

  describe('a message', () => {
    it('has its own page with every attempt, and leads to its parcel and order', async () => {
      const { shop, admin } = await openShop()
      await admin.post('/webhooks', { url: receiver.url, enabled_events: ['shipments/delivered'] })
      receiver.respond = () => ({ status: 401, body: 'who are you?' })
      await deliverParcel(admin)
      const [delivery] = (await admin.get('/deliveries')).body
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/deliveries/${delivery.uuid}`)
        await page.getByText('Trying again').first().waitFor()
        await page.getByText('who are you?').waitFor()
        await expectGoodLooks(page, 'delivery')
        await expect
          .poll(() => page.getByRole('link', { name: 'Open the parcel' }).getAttribute('href'))
          .toContain(delivery.shipment_id)
        await page.getByRole('button', { name: 'Send again' }).click()
        await settle(service)
        await page.getByRole('article', { name: 'Attempt 2' }).waitFor()
      })
      await visit({ as: { shop, role: 'admin' }, language: 'de', size: phone }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/deliveries/${delivery.uuid}`)
        await page.getByText('Der Empfänger verweigerte den Zugriff').first().waitFor()
        await picture(page, 'delivery-390-de')
      })
    })

    it('that does not exist says so', async () => {
      const { shop } = await openShop()
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/deliveries/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d`)
        await page.getByText('There is no such message').waitFor()
        await expectGoodLooks(page, 'delivery-missing')
      })
    })
  })

  describe('integrations', () => {
    it('are set up with credentials and settings, tested, and switched on', async () => {
      const { shop, admin } = await openShop()
      receiver.respond = () => ({ status: 401, body: '{"message":"Invalid API key"}' })
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/integrations`)
        await expectGoodLooks(page, 'integrations')
        await page.getByRole('link', { name: 'Braze' }).click()
        await settled(page)
        await page.getByLabel('REST endpoint').fill(receiver.url)
        await page.getByText('You have unsaved changes').waitFor()
        await button(page, 'Save')
        await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
        await page.getByLabel('API key').fill('short')
        await button(page, 'Save credentials')
        await page.getByText('This was not saved yet').waitFor()
        await page.getByLabel('API key').fill('a-key-of-braze-that-is-long')
        await button(page, 'Save credentials')
        await page.getByText('****long').waitFor()
        await page.getByLabel('E-mail address of the sample customer').fill('me@shop.example')
        await button(page, 'Send test message')
        await page.getByText('The receiver denied access').waitFor()
        await expectGoodLooks(page, 'integration-rejected')
        receiver.respond = () => ({ status: 201, body: '{"message":"success"}' })
        await button(page, 'Send test message')
        await page.getByText('Braze accepted the sample message.').waitFor()
        await page.getByRole('switch', { name: 'Send messages' }).click()
        await page.getByText('Switched on').waitFor()
        await deliverParcel(admin)
        await go(page, `/dashboard/${shop.slug}/messages/integrations/braze`)
        await page.getByText('Healthy').waitFor()
        await expectGoodLooks(page, 'integration')
        await page
          .getByRole('link', { name: /delivered/i })
          .first()
          .click()
        await page.getByText('What the integration gets').waitFor()
        await picture(page, 'delivery-integration')
      })
    })

    it('show a viewer their state, and nothing to change', async () => {
      const { shop } = await openShop()
      await visit({ as: { shop, role: 'viewer' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages`)
        await page.waitForURL('**/messages/integrations')
        expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
        await page.getByRole('link', { name: 'Klaviyo' }).click()
        await settled(page)
        expect(await page.getByRole('button', { name: 'Save credentials' }).count()).toBe(0)
        await expect.poll(() => page.getByRole('switch').isDisabled()).toBe(true)
        await picture(page, 'integration-viewer')
        // It is not in their menu.
        await go(page, `/dashboard/${shop.slug}/messages/webhooks`)
        await page.getByText('Your role does not allow this').waitFor()
        expect(await page.getByRole('button', { name: 'New endpoint' }).count()).toBe(0)
      })
    })
  })

  describe('triggers', () => {
    it('show the parcels that would fire now while they are edited', async () => {
      const { shop, admin } = await openShop()
      const number = await deliverParcel(admin, 'PARCEL_DISPATCHED')
      await visit({ as: { shop, role: 'admin' } }, async (page) => {
        await go(page, `/dashboard/${shop.slug}/messages/triggers`)
        await page.getByText('No trigger yet').waitFor()
        await expectGoodLooks(page, 'triggers-empty')
        await page.getByRole('link', { name: 'New trigger' }).first().click()
        await settled(page)
        await page.getByText('No parcel at this moment').waitFor()
        await page.getByRole('textbox', { name: 'Name' }).fill('Nothing for a while')
        await page.getByLabel('After (hours)').fill('0')
        await page.getByText('1 parcel would fire now').waitFor()
        await page.getByRole('link', { name: number }).waitFor()
        await page.getByText('More conditions').click()
        await page.getByLabel('Not parcels with these events').selectOption('SUCCESSFULLY_DELIVERED')
        await page.getByText('1 parcel would fire now').waitFor()
        await picture(page, 'trigger-new')
        await button(page, 'Create trigger')
        await page.getByRole('link', { name: 'Nothing for a while' }).waitFor()
        await settled(page)
        await expectGoodLooks(page, 'triggers')
        const [trigger] = (await admin.get('/settings/triggers/webhook/internal-triggers')).body
        expect(trigger).toMatchObject({ phase_in: ['in_transit'], event_key_not_in: ['SUCCESSFULLY_DELIVERED'] })
        await page.getByRole('link', { name: 'Nothing for a while' }).click()
        await page.getByText('1 parcel would fire now').waitFor()
        await expectGoodLooks(page, 'trigger')
        await button(page, 'Delete trigger')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete trigger' }).click()
        await page.getByText('No trigger yet').waitFor()
      })
    })
  })
})
