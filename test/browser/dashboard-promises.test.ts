import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop

/** Parcels that were delivered lately: what promises are learnt from. */
async function deliver(made: TestShop, count: number): Promise<void> {
  const editor = made.as('editor')
  const all = Array.from({ length: count }, async (_, index) => {
    const sent = after(clock.now(), -(6 + (index % 20)) * dayMs)
    const number = uniqueNumber('JD0141')
    await editor.put(
      '/orders',
      upsertOf(
        uniqueNumber(),
        { order_placed_at: sent.toISOString(), address: { country_code: 'DE', zip_code: '10115' } },
        [
          {
            tracking_number: number,
            tracking_placed_at: sent.toISOString(),
            carrier_reference: 'dhl',
            service: 'DHL Paket',
          },
        ],
      ),
    )
    for (const [event_name, days] of [
      ['ARRIVED_AT_SORTING_CENTER', 0.5],
      ['SUCCESSFULLY_DELIVERED', 1 + (index % 3)],
    ] as const) {
      const event_time = after(sent, days * dayMs).toISOString()
      await editor.post('/shipment-events', { id: number, event_name, event_time })
    }
  })
  await Promise.all(all)
}

const toast = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor()
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

describeInBrowser('delivery promises in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({ name: 'River & Pine' }, service)
    await deliver(shop, 40)
  }, 120_000)

  it('are set up from the parcels that were delivered, with a preview that says what they are based on', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/promises`)
      await card(page, 'What a customer would see now').getByText('Nothing: no shipping method').waitFor()
      await expectGoodLooks(page, 'promises-empty')
      await page.getByRole('button', { name: 'Add DHL · DHL Paket' }).click()
      const warehouse = page.getByRole('group', { name: 'Warehouse', exact: true })
      await warehouse.getByLabel('Name').fill('Leipzig')
      const leipzig = page.getByRole('group', { name: 'Leipzig', exact: true })
      await leipzig.getByLabel('Time zone').fill('Europe/Berlin')
      await leipzig.getByLabel('Friday').fill('')
      await leipzig.getByRole('button', { name: 'Add a day' }).click()
      await leipzig.getByLabel('Closed day 1').fill('2026-12-24')
      await page.getByRole('button', { name: 'Add a class' }).click()
      const shippingClass = page.getByRole('group', { name: 'without a name' })
      await shippingClass.getByLabel('Name').fill('bulky')
      await page.getByRole('group', { name: 'bulky' }).getByLabel('Products').fill('SKU-1\nSKU-2, SKU-3')
      await page.getByLabel('Promise with, in percent').fill('150')
      await page.getByText('This shows what is saved.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').filter({ hasText: 'Promise with, in percent' }).waitFor()
      await picture(page, 'promises-wrong')
      await page.getByLabel('Promise with, in percent').fill('85')
      // The service lets shops' pages keep promises for a minute. The person who changes them sees the change at once.
      const asked = page.waitForRequest((request) => request.url().includes('/delivery-promises?'))
      await page.getByRole('button', { name: 'Save' }).click()
      expect((await (await asked).allHeaders())['cache-control']).toBe('no-cache')
      await toast(page, 'Delivery promises were saved')
      await page.locator('.save-bar').waitFor({ state: 'detached' })
      const preview = card(page, 'What a customer would see now')
      await preview.getByText(/^Arrives /).waitFor()
      await preview.getByText(/^40 parcels /).waitFor()
      await expectGoodLooks(page, 'promises')
      await preview.getByLabel('Country').selectOption('SE')
      await preview.getByText('Nothing: no shipping method').waitFor()
    })
    expect((await shop.as('viewer').get('/delivery-promises/settings')).body).toMatchObject({
      percentile: 0.85,
      warehouses: [
        {
          name: 'Leipzig',
          country_code: 'DE',
          timezone: 'Europe/Berlin',
          cut_offs: { '1': '12:00', '2': '12:00', '3': '12:00', '4': '12:00' },
          handling_days: 0,
          closed_days: ['2026-12-24'],
        },
      ],
      shipping_classes: [{ name: 'bulky', handling_days: 0, products: ['SKU-1', 'SKU-2', 'SKU-3'] }],
      methods: [
        { name: 'DHL Paket', warehouse: 'Leipzig', carrier_reference: 'dhl', service: 'DHL Paket', countries: ['DE'] },
      ],
    })
  })

  it('are shown to a viewer, who cannot change them', async () => {
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/promises`)
      await page.getByText('Nur Admins des Shops können das ändern.').waitFor()
      await page.getByText(/^40 Pakete /).waitFor()
      expect(await page.getByRole('button', { name: 'Speichern' }).count()).toBe(0)
      expect(await page.getByLabel('Zusagen mit, in Prozent').count()).toBe(0)
      await picture(page, 'promises-viewer-german')
    })
  })
})

describeInBrowser('embedding in a browser', () => {
  it('offers the snippets, takes domains and replaces the key', async () => {
    ;({ service } = await openDashboard())
    const own = await makeShop({ name: 'River & Pine' }, service)
    const before = (await own.as('viewer').get('/embedding')).body
    await visit({ as: { shop: own, role: 'admin' } }, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await go(page, `/dashboard/${own.slug}/settings/embedding`)
      await page.getByText('Your site may not use this yet').waitFor()
      await expectGoodLooks(page, 'embedding-empty')
      await page.getByLabel('Domains of your site').fill('https://www.shop.example/\nhttp://plain.example')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').filter({ hasText: 'http://plain.example' }).waitFor()
      await page.getByLabel('Domains of your site').fill('https://www.shop.example/\nlocalhost:3000')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'The domains were saved')
      await page.getByText('Your site may not use this yet').waitFor({ state: 'detached' })
      await card(page, 'Look-up and status').getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toContain(`<doorstep-tracking shop="${own.slug}" key="${before.public_key}">`)
      expect(copied).toContain(`<script type="module" src="${before.snippet_url}"></script>`)
      expect(copied).toContain(`<a href="${before.page_url}">Track your order</a>`)
      await expectGoodLooks(page, 'embedding')
      await page.getByRole('button', { name: 'Replace key' }).click()
      await page.getByRole('dialog').getByText('stops working at once').waitFor()
      await picture(page, 'embedding-rotate')
      await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click()
      await toast(page, 'The public key was replaced')
      await settled(page)
    })
    const changed = (await own.as('viewer').get('/embedding')).body
    expect(changed.domains).toEqual(['www.shop.example', 'localhost:3000'])
    expect(changed.public_key).not.toBe(before.public_key)
    await visit({ as: { shop: own, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${own.slug}/settings/embedding`)
      await page.getByText('Nur Admins des Shops können das ändern.').waitFor()
      expect(await page.getByRole('button', { name: 'Schlüssel ersetzen' }).count()).toBe(0)
      await expect.poll(() => page.locator('body').innerText()).toContain(changed.public_key)
      await picture(page, 'embedding-viewer-german')
    })
  })
})
