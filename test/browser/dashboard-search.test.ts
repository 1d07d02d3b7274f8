import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../harness/browser.ts'
import { desk, expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { uniqueNumber } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { scanAs } from '../harness/tracking-pages.ts'

let shop: TestShop
let late: { orderId: string; number: string; tracking: string; shipmentId: string }

const people = ['Ada Example', 'Jürgen Müller', 'Šárka Nováková', 'Lena Fischer', 'Tom Becker', 'Mia Wagner']

/** A shop of a small merchant on a Monday morning. */
async function fillShop(): Promise<void> {
  const { service } = await openDashboard()
  shop = await makeShop({ name: 'River & Pine' }, service)
  const editor = shop.as('editor')
  const place = async (index: number, trackings: Record<string, unknown>[]) => {
    const number = String(1042 + index)
    const { headers, status, text } = await editor.put('/orders', {
      id: number,
      order: {
        external_id: number,
        order_name: `#${number}`,
        order_placed_at: new Date(Date.now() - (index * 7 + 48) * 3_600_000).toISOString(),
        email_id: `customer-${index}@example.com`,
        address: {
          name: people[index % people.length],
          street: 'Lindenstraße 12',
          city: 'Berlin',
          zip_code: '10115',
          country_code: index % 3 === 0 ? 'AT' : 'DE',
          phone: '+49 30 1234567',
        },
        products: [
          { title: 'Rain jacket', variant_title: 'Blue / M', quantity: 1, price: 89.9 },
          { title: 'Wool socks', quantity: 2, price: 9.5 },
        ],
        total_order_price: 108.9,
        currency: 'EUR',
      },
      trackings,
    })
    expect(status, text).toBe(200)
    const orderId = String(headers.location).split('/').at(-1) ?? ''
    const { body } = await editor.get(`/orders/${orderId}`)
    const [first] = body.trackings
    return { orderId, number, tracking: first?.carrier.tracking_number ?? '', shipmentId: first?.uuid ?? '' }
  }
  const journeys = [
    ['ACCEPTED_BY_ORIGIN_OFFICE', 'ARRIVED_AT_SORTING_CENTER'],
    ['ACCEPTED_BY_ORIGIN_OFFICE', 'ARRIVED_AT_SORTING_CENTER', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'],
    ['ACCEPTED_BY_ORIGIN_OFFICE', 'OUT_FOR_DELIVERY'],
    [],
  ]
  for (let index = 0; index < 24; index += 1) {
    const isSent = index % 5 !== 4
    const made = await place(
      index,
      isSent ? [{ tracking_number: uniqueNumber('00340434'), carrier_reference: index % 2 ? 'ups' : 'dhl' }] : [],
    )
    const journey = journeys[index % journeys.length] ?? []
    if (isSent && journey.length > 0) {
      await scanAs(
        service,
        shop.slug,
        made.tracking,
        journey.map((event, place) => ({ event, place: place % 3 })),
      )
    }
  }
  await shop.as('admin').post('/automations', {
    name: 'Note late parcels',
    trigger: { events: ['shipments/in_transit'] },
    actions: [{ type: 'add_segment', segment: 'late' }],
  })
  // Nothing listens there, so that the message is tried again.
  await shop.as('admin').post('/webhooks', { url: 'http://127.0.0.1:9/hook' })
  late = await place(30, [{ tracking_number: uniqueNumber('JJD000'), carrier_reference: 'dhl' }])
  await scanAs(service, shop.slug, late.tracking, [
    { event: 'ACCEPTED_BY_ORIGIN_OFFICE', place: 0 },
    { event: 'ARRIVED_AT_SORTING_CENTER', place: 1 },
    { event: 'DELAY_IN_TRANSPORT', place: 2, expectedInDays: 2 },
  ])
  await editor.post('/shipment-events?notify=true', { id: late.tracking, event_name: 'DELAY_IN_TRANSPORT' })
  await editor.post('/claims', { tracking_number: late.tracking, reason: 'investigation' })
  await service.workers?.deliveries.idle()
}

describeInBrowser('orders and parcels in a browser', () => {
  beforeAll(fillShop, 600_000)

  it('finds the story of a parcel by the beginning of what the customer reads out', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders`)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type(late.tracking.slice(0, 9).toLowerCase())
      await page.getByRole('option', { name: new RegExp(late.tracking) }).waitFor()
      await expectGoodLooks(page, 'search-palette')
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/shipments/${late.shipmentId}`))
      await settled(page)
      await expect.poll(() => page.locator('h1').textContent()).toBe(late.tracking)
      await expect.poll(() => page.getByText('Order placed').count()).toBe(1)
      await expectGoodLooks(page, 'search-parcel')
    })
  })

  it('opens what was meant if Enter comes before the results, as from a scanner', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders`)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/search?*', async (route) => {
        await held
        await route.continue()
      })
      await page.keyboard.type(late.tracking)
      await page.keyboard.press('Enter')
      release()
      await page.waitForURL(new RegExp(`/shipments/${late.shipmentId}`))
      await settled(page)
      await expect.poll(() => page.locator('h1').textContent()).toBe(late.tracking)
    })
  })

  it('opens pages and does things with the keyboard alone', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders`)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await picture(page, 'search-palette-start')
      // A viewer is not offered pages that only admins may see.
      expect(await page.getByRole('option', { name: /Audit log/ }).count()).toBe(0)
      await page.keyboard.type('parc')
      await page.getByRole('option', { name: 'Parcels' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/shipments$/)
      await settled(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type('dark')
      await page.getByRole('option', { name: /Dark/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('html[data-scheme=dark]').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('combobox').waitFor({ state: 'detached' })
    })
  })

  it('lists orders, with everything about the list in the address', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders`)
      expect(await rowsIn(page)).toBe(25)
      await expectGoodLooks(page, 'search-orders')
      await page.keyboard.press('/')
      await page.keyboard.type('muller')
      await page.waitForURL(/q=muller/)
      await page.getByText('1–4 of 4').waitFor()
      await expect.poll(() => page.locator('tbody').textContent()).toContain('Jürgen Müller')
      await page.getByRole('button', { name: 'Status' }).first().click()
      await page.getByRole('menuitemcheckbox', { name: 'Unfulfilled' }).click()
      await page.waitForURL(/status=placed/)
      await page.keyboard.press('Escape')
      await page.reload()
      await settled(page)
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('muller')
      await page.goBack()
      await settled(page)
      expect(page.url()).not.toContain('status=')
      await page.goto(`/dashboard/${shop.slug}/orders?q=nobody-of-this-name`)
      await settled(page)
      await expectGoodLooks(page, 'search-orders-nothing')
      await page.getByRole('button', { name: 'Clear search and filters' }).click()
      await page.locator('tbody tr').first().waitFor()
      expect(await rowsIn(page)).toBe(25)
    })
  })

  it('opens an order with the keyboard, and leads back to the list as it was', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders?since=90`)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
      await settled(page)
      await page.getByRole('navigation', { name: 'Back' }).getByRole('link').click()
      await page.waitForURL(/since=90/)
      await go(page, `/dashboard/${shop.slug}/orders/${late.orderId}`)
      await expect.poll(() => page.locator('main').textContent()).toMatch(/Automation “Note late parcels”/)
      await expectGoodLooks(page, 'search-order')
    })
  })

  it('lists parcels, filters them, chooses columns and copies numbers', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/shipments`)
      await expectGoodLooks(page, 'search-parcels')
      await page.getByRole('button', { name: 'State' }).first().click()
      await page.getByRole('menuitemcheckbox', { name: 'Delivered' }).click()
      await page.waitForURL(/phase=delivered/)
      await page.keyboard.press('Escape')
      await settled(page)
      const states = await page.locator('tbody .badge').allTextContents()
      expect(new Set(states)).toEqual(new Set(['Delivered']))
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Destination' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('columnheader', { name: 'Destination' }).waitFor()
      await page.getByRole('button', { name: 'Changed' }).last().click()
      await page.waitForURL(/sort=updated_at/)
      await page.getByLabel('Select all on this page').check()
      await picture(page, 'search-parcels-chosen')
      await page.getByRole('button', { name: 'Copy tracking numbers' }).click()
      await page.getByText(/tracking numbers? copied/).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).click()
      expect((await download).suggestedFilename()).toBe('parcels.csv')
    })
  })

  it('adds an event and corrects the carrier of a parcel', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/shipments/${late.shipmentId}`)
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Add event' }).click()
      await page.getByRole('dialog').getByLabel('What happened').selectOption('OUT_FOR_DELIVERY')
      await picture(page, 'search-add-event')
      await page.getByRole('dialog').getByRole('button', { name: 'Add event' }).click()
      await page.getByText('The event was added').waitFor()
      await page.locator('.page-head .badge', { hasText: 'Out for delivery' }).waitFor()
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Correct carrier' }).click()
      await page.getByRole('dialog').getByLabel('Carrier').selectOption('gls')
      await picture(page, 'search-correct-carrier')
      await page.getByRole('button', { name: 'Correct', exact: true }).click()
      await page.getByText(/The carrier is asked at once/).waitFor()
      expect((await shop.as('viewer').get(`/shipments/${late.shipmentId}`)).body.carrier.carrier_reference).toBe('gls')
    })
  })

  it("makes the links to a customer's page invalid", async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/shipments/${late.shipmentId}`)
      const link = page.getByRole('link', { name: "Open customer's page" })
      const before = await link.getAttribute('href')
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: "Make the customer's link invalid" }).click()
      await page.getByRole('dialog').getByRole('button', { name: "Make the customer's link invalid" }).click()
      await page.getByText('The old links no longer work').waitFor()
      expect(await link.getAttribute('href')).not.toBe(before)
    })
  })

  it('hides what a viewer may not do, and shows the page as the customer sees it', async () => {
    await visit({ as: { shop, role: 'viewer' }, size: phone }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/shipments/${late.shipmentId}`)
      expect(await page.getByRole('button', { name: 'Actions' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: "Open customer's page" }).count()).toBe(0)
      const opened = page.waitForEvent('popup')
      await page.getByRole('link', { name: "Preview customer's page" }).click()
      const preview = await opened
      expect(new URL(preview.url()).pathname).toMatch(/\/orders\/[\w-]+\/page-preview$/)
      await preview.locator('main h1').waitFor()
    })
  })

  it('speaks German, and says what is missing', async () => {
    await visit({ as: { shop, role: 'admin' }, language: 'de', size: desk }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders/${late.orderId}`)
      await expect.poll(() => page.locator('h1').textContent()).toContain('Bestellung')
      await picture(page, 'search-order-german')
      await go(page, `/dashboard/${shop.slug}/shipments/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d`)
      await page.getByRole('alert').waitFor()
      await picture(page, 'search-parcel-missing')
    })
  })

  it('teaches in an empty shop', async () => {
    const { service } = await openDashboard()
    const empty = await makeShop({}, service)
    await visit({ as: { shop: empty, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${empty.slug}/orders`)
      await expectGoodLooks(page, 'search-orders-empty')
      await go(page, `/dashboard/${empty.slug}/shipments`)
      await page.getByText('No parcels yet').waitFor()
    })
  })
})

async function rowsIn(page: Page): Promise<number> {
  return page.locator('tbody tr').count()
}
