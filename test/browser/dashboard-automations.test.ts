import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, picture, visit } from '../harness/dashboard.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop

async function deliver(name: string, country_code: string, total_order_price: number): Promise<void> {
  const id = uniqueNumber('AT-')
  const order_placed_at = clock.now().toISOString()
  const fields = { order_placed_at, total_order_price, address: { name, zip_code: '10115', country_code } }
  await createOrder(shop.as('editor'), fields, [{ tracking_number: id, carrier_reference: 'dhl' }])
  await shop.as('editor').post('/shipment-events?notify=true', { id, event_name: 'SUCCESSFULLY_DELIVERED' })
}

async function settleAutomations(): Promise<void> {
  await service.workers?.deliveries.sweep()
  service.workers?.automations.wake()
  await service.workers?.deliveries.idle()
}

const address = (rest = '') => `/dashboard/${shop.slug}/marketing/automations${rest}`
const sentence = (page: Page) => page.locator('.sentence')

describeInBrowser('automations in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({}, service)
    clock.advance(-3 * dayMs)
    await deliver('Ada Example', 'DE', 120)
    await deliver('Emil Sommer', 'DE', 45)
    clock.advance(2 * dayMs)
    await deliver('Greta Winter', 'AT', 150)
    await deliver('Hannah Vogel', 'FR', 210)
    clock.reset()
    await shop.as('admin').post('/automations', {
      name: 'Tag late parcels',
      description: 'So that support sees them.',
      trigger: { events: ['shipments/delivered'] },
      conditions: [{ field: 'context.shipments.carrier.carrier_reference', operator: 'eq', value: 'dhl' }],
      actions: [{ type: 'add_segment', segment: 'dhl' }],
    })
    await deliver('Jonas Berg', 'DE', 80)
    await settleAutomations()
  }, 300_000)

  it('teach what they are for while there is none', async () => {
    const empty = await makeShop({}, service)
    await visit({ as: { shop: empty, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${empty.slug}/marketing/automations`)
      await page.getByText('No automation yet').waitFor()
      await expectGoodLooks(page, 'automations-empty')
    })
  })

  it('are built from pickers, read back as a sentence, and tried on past events', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('/new'))
      await page.getByText('Choose the event that starts it.').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Thank good customers')
      await page.getByRole('checkbox', { name: /^Delivered \d/ }).check()
      await page.getByText('It would have run 5 times, out of 5 such events.').waitFor()
      await page.getByRole('button', { name: 'Add condition' }).click()
      const first = page.getByRole('group', { name: 'Condition 1' })
      await first.getByLabel('What').selectOption({ label: 'the destination country' })
      await first.getByLabel('Value').selectOption({ label: 'Germany' })
      await first.getByLabel('Value').selectOption({ label: 'Austria' })
      await page.getByRole('button', { name: 'Add condition' }).click()
      const second = page.getByRole('group', { name: 'Condition 2' })
      await second.getByLabel('What').selectOption({ label: 'the order total' })
      await second.getByLabel('Value').fill('100')
      await page.getByLabel('How long').fill('2')
      await page.getByRole('button', { name: 'Add action' }).click()
      await expect
        .poll(() => sentence(page).innerText())
        .toBe(
          'When “Delivered” is reported and the destination country is Germany or Austria and the order total is at least 100, wait 2 hours, then notify Klaviyo.',
        )
      await page.getByText('It would have run 2 times, out of 5 such events.').waitFor()
      await page.getByText('Most were left out because of “the order total is at least 100”: 2 events.').waitFor()
      await expect.poll(() => page.getByText('Greta Winter').count()).toBe(1)
      await expectGoodLooks(page, 'automation-new')
      // Nothing has been stored or sent by any of this.
      expect((await shop.as('viewer').get('/automations')).body).toHaveLength(1)
      await page.getByLabel('30 days').check()
      await page.getByRole('button', { name: 'Create automation' }).click()
      await page.getByText('The automation is ready').waitFor()
      await page.getByText('It has not run yet').waitFor()
      const stored = (await shop.as('viewer').get('/automations')).body[1]
      expect(stored).toMatchObject({
        name: 'Thank good customers',
        trigger: { events: ['shipments/delivered'] },
        conditions: [
          { field: 'context.order.address.country_code', operator: 'in', value: ['DE', 'AT'] },
          { field: 'context.order.total_order_price', operator: 'gte', value: 100 },
        ],
        delay_minutes: 120,
        actions: [{ type: 'notify', integration: 'klaviyo' }],
      })
    })
  })

  it('are listed, switched off and on again', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address())
      await page.getByText('the carrier of a parcel is DHL', { exact: false }).waitFor()
      await expectGoodLooks(page, 'automations')
      await page.getByRole('switch', { name: 'Tag late parcels: On' }).click()
      await page.getByText('“Tag late parcels” is off').waitFor()
      expect((await shop.as('viewer').get('/automations')).body[0].enabled).toBe(false)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('“Tag late parcels” is on').waitFor()
      expect((await shop.as('viewer').get('/automations')).body[0].enabled).toBe(true)
    })
  })

  it('show their runs, are changed, duplicated and deleted', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address())
      await page.getByRole('link', { name: 'Tag late parcels' }).click()
      const run = page.locator('tbody tr').first()
      await run.getByText('add the order to the segment “dhl”').waitFor()
      await run.getByText('Done', { exact: true }).waitFor()
      await expectGoodLooks(page, 'automation')
      await page.getByLabel('Name', { exact: true }).fill('Tag DHL parcels')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { level: 1, name: 'Tag DHL parcels' }).waitFor()
      await page.getByRole('link', { name: 'Duplicate' }).click()
      await page.waitForURL(/new\?from=/)
      await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Copy of Tag DHL parcels')
      await page.getByLabel('Name', { exact: true }).fill('Tag DHL parcels')
      await page.getByRole('button', { name: 'Create automation' }).click()
      // The name is taken.
      await page.getByText('This was not saved yet').waitFor()
      await picture(page, 'automation-name-taken')
      await page.getByLabel('Name', { exact: true }).fill('The copy')
      await page.getByRole('button', { name: 'Create automation' }).click()
      await page.getByRole('heading', { level: 1, name: 'The copy' }).waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Deletes 1 automation.').waitFor()
      await page.getByText('No run is waiting.').waitFor()
      await picture(page, 'automation-delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('“The copy” is deleted').waitFor()
    })
  })

  it('speak German, and a viewer changes nothing', async () => {
    await visit({ as: { shop, role: 'viewer' }, language: 'de' }, async (page) => {
      await go(page, address())
      await expect.poll(() => page.locator('h1').innerText()).toBe('Automatisierungen')
      expect(await page.getByRole('switch').count()).toBe(0)
      await page.getByRole('link', { name: /DHL/ }).click()
      await page.getByText('die Bestellung dem Segment „dhl“ zuordnen', { exact: false }).first().waitFor()
      expect(await page.getByRole('button', { name: 'Löschen' }).count()).toBe(0)
      await expect.poll(() => page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
      await picture(page, 'automation-german')
    })
  })

  it('that send data outside are for admins', async () => {
    await shop.as('admin').post('/automations', {
      name: 'To the warehouse',
      trigger: { events: ['shipments/returned'] },
      actions: [{ type: 'webhook', url: 'https://hooks.example/secret' }],
    })
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address())
      await page.getByRole('link', { name: 'To the warehouse' }).click()
      await page.getByText('Only admins can change this automation').waitFor()
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
      await picture(page, 'automation-admin-only')
    })
  })
})
