import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { createCampaign } from '../harness/campaigns.ts'
import { shopIdOf } from '../harness/customers.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { writeHistory } from '../harness/history.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

let service: Service
let busy: TestShop
let fresh: TestShop

const people = ['Ada Example', 'Emil Sommer', 'Greta Winter', 'Hannah Vogel', 'Jonas Berg', 'Lena Fuchs']
let sent = 0

async function send(
  editor: ShopCaller,
  carrier = 'dhl',
): Promise<{ parcel: string; number: string; tracking: string }> {
  sent += 1
  const address = { name: people[sent % people.length], country_code: 'AT', zip_code: '1010' }
  const tracking = uniqueNumber('JD0140')
  const order = await createOrder(editor, { order_placed_at: clock.now().toISOString(), address }, [
    { tracking_number: tracking, carrier_reference: carrier },
  ])
  return { parcel: order.trackings[0].uuid, number: order.order_number, tracking }
}

const report = (editor: ShopCaller, id: string, event_name: string) =>
  editor.post(`/shipments/${id}/events`, { event_name, event_time: clock.now().toISOString() })

/** A shop in the morning: something of everything. Afterwards it is now again. */
async function fill(made: TestShop): Promise<void> {
  const editor = made.as('editor')
  await writeHistory(service, made, 12)
  clock.advance(-7 * dayMs)
  for (const carrier of ['dhl', 'gls', 'dhl', 'hermes']) {
    await report(editor, (await send(editor, carrier)).parcel, 'ARRIVED_AT_SORTING_CENTER')
  }
  clock.advance(4 * dayMs)
  await report(editor, (await send(editor, 'gls')).parcel, 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND')
  const lost = await send(editor)
  await report(editor, lost.parcel, 'SHIPMENT_LOST_IN_TRANSIT')
  await editor.post('/claims', { tracking_number: lost.tracking, reason: 'missing_product' })
  clock.reset()
  await evaluateExceptions(service.context())
  await made.as('admin').post('/webhooks', { url: 'https://erp.river-and-pine.example/doorstep' })
  await sql`update webhook_endpoints set failing_since = ${new Date(clock.now().getTime() - 5 * 3_600_000)}
    where shop_id = ${await shopIdOf(service, made)}`.execute(service.database.db)
  const campaign = await createCampaign(editor, { enabled: true, name: 'Autumn sale' })
  const { body } = await editor.post('/orders/trackpage-url', { id: lost.number })
  for (const what of ['exposures', 'clicks']) {
    const token = body.url.split('/').at(-1)
    await call('POST', `/v1/public/${token}/${what}`, { auth: null, body: { campaign_id: campaign.uuid } }, service)
  }
  await rollUpFigures(service.context())
}

const home = (made: TestShop, query = '') => `/dashboard/${made.slug}${query}`
const editorOf = (shop: TestShop) => ({ as: { shop, role: 'editor' } as const })

/** Responds to an operation with an error until the returned function is called. */
async function failing(page: Page, path: RegExp): Promise<() => Promise<void>> {
  await page.route(path, (route) =>
    route.fulfill({
      status: 422,
      json: { key: 'invalid_payload', message: 'The clock of this server is wrong.', type: 'api_error', errors: [] },
    }),
  )
  return () => page.unroute(path)
}

describeInBrowser('home in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    ;[busy, fresh] = [await makeShop({ name: 'River & Pine' }, service), await makeShop({ name: 'New shop' }, service)]
    await fill(busy)
  }, 300_000)

  it('says what needs a person and why, without a click', async () => {
    await visit({ as: { shop: busy, role: 'admin' } }, async (page) => {
      await go(page, home(busy))
      await expect.poll(() => page.locator('h1').innerText()).toBe('6 parcels need you')
      const needs = page.getByRole('region', { name: 'What needs you' })
      const titles = await needs.locator('h2').allInnerTexts()
      expect(titles.slice(0, 3)).toEqual([
        '1 parcel is lost',
        '1 parcel could not be delivered',
        '4 parcels have had no scan for too long',
      ])
      expect(titles).toEqual(
        expect.arrayContaining(['1 claim is open', '1 webhook endpoint does not get its messages']),
      )
      expect(await needs.getByText(/hasn’t reported on this parcel for 7 days/).count()).toBeGreaterThan(0)
      await expectGoodLooks(page, 'home')
    })
  })

  it('settles a parcel with one press, and takes it back with another', async () => {
    await visit(editorOf(busy), async (page) => {
      await go(page, home(busy))
      const lost = page.locator('article', { hasText: '1 parcel is lost' })
      await lost.getByRole('button', { name: 'Resolve' }).click()
      await page.getByRole('heading', { name: '5 parcels need you' }).waitFor()
      await picture(page, 'home-resolved')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('heading', { name: '6 parcels need you' }).waitFor()
      await lost.getByRole('link', { name: /^Order/ }).click()
      await page.waitForURL(/\/shipments\//)
    })
  })

  it('leads to all parcels of a kind', async () => {
    await visit(editorOf(busy), async (page) => {
      await go(page, home(busy))
      await page.getByRole('link', { name: 'Show all 4' }).click()
      await page.waitForURL(/\/exceptions\?kind=stuck/)
    })
  })

  it('compares figures with the period before, for 7, 30 and 90 days', async () => {
    await visit(editorOf(busy), async (page) => {
      await go(page, home(busy))
      const orders = page.locator('.tile', { hasText: 'Orders' })
      await expect.poll(() => orders.innerText()).toMatch(/\d+\s+\d+ more than before \(\d+\)/)
      const onTime = page.locator('.tile', { hasText: 'On time' })
      await expect.poll(() => onTime.innerText()).toMatch(/%\s+of \d+ parcels/)
      await page.getByRole('link', { name: '7 days' }).click()
      await page.waitForURL(/days=7/)
      await settled(page)
      await expect.poll(() => page.locator('.chart-mark').count()).toBe(14)
      await expect.poll(() => page.locator('.segments [aria-current]').allInnerTexts()).toEqual(['7 days'])
    })
  })

  it('has charts that are read and left with the keyboard, and a table behind each', async () => {
    await visit(editorOf(busy), async (page) => {
      await go(page, home(busy))
      const chart = page.locator('figure', { hasText: 'Orders per day' })
      const marks = chart.locator('.chart-mark')
      await marks.last().focus()
      await page.keyboard.press('ArrowLeft')
      const label = (await marks.nth(28).getAttribute('aria-label')) ?? ''
      expect(label).toMatch(/^\d+ \w+ 2026: \d+ orders; before: \d+$/)
      await expect.poll(() => chart.locator('.chart-readout').innerText()).toBe(label)
      await picture(page, 'home-chart-focused')
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await expect.poll(() => chart.locator('tbody tr').count()).toBe(30)
      await page.locator('figure', { hasText: 'Where the parcels are' }).getByRole('button').click()
      await expectGoodLooks(page, 'home-tables')
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await marks.first().click()
      await page.waitForURL(/\/orders\?on=\d{4}-/)
      await settled(page)
      await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(3)
    })
  })

  it('leads a new shop through its first steps', async () => {
    await visit({ as: { shop: fresh, role: 'admin' } }, async (page) => {
      await go(page, home(fresh))
      await expect.poll(() => page.locator('h1').innerText()).toBe('Welcome')
      await expect.poll(() => page.locator('.step').count()).toBe(5)
      await expectGoodLooks(page, 'home-new')
      await page.getByRole('button', { name: 'Hide this list' }).click()
      await page.getByRole('heading', { name: 'Get your shop connected' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('heading', { name: 'Get your shop connected' }).waitFor()
      await page.getByRole('link', { name: 'Tell customers' }).click()
      await page.waitForURL(/\/connect/)
    })
  })

  it('shows no rate of a few parcels, and calm where nothing is wrong', async () => {
    const small = await makeShop({ name: 'Small shop' }, service)
    await report(small.as('editor'), (await send(small.as('editor'))).parcel, 'SUCCESSFULLY_DELIVERED')
    await visit(editorOf(small), async (page) => {
      await go(page, home(small))
      await expect.poll(() => page.locator('h1').innerText()).toBe('No parcel needs you')
      await expect.poll(() => page.getByText('Only 1 parcel; a rate needs ten').count()).toBe(1)
      await expectGoodLooks(page, 'home-small')
    })
  })

  it('speaks German to a viewer, who can change nothing', async () => {
    await visit({ as: { shop: busy, role: 'viewer' }, language: 'de' }, async (page) => {
      await go(page, home(busy))
      await expect.poll(() => page.locator('h1').innerText()).toBe('6 Pakete brauchen Ihre Aufmerksamkeit')
      expect(await page.getByRole('button', { name: 'Erledigt' }).count()).toBe(0)
      await picture(page, 'home-german')
      await page.setViewportSize(phone)
      await settled(page)
      await picture(page, 'home-german-phone')
    })
  })

  it('says what did not work, part by part, and tries again', async () => {
    await visit(editorOf(busy), async (page) => {
      const restore = await failing(page, /\/(attention|analytics\/summary)/)
      await go(page, home(busy))
      await expect.poll(() => page.getByRole('alert').count()).toBe(2)
      await expectGoodLooks(page, 'home-problem')
      await restore()
      for (const _each of [1, 2]) await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.getByRole('heading', { name: '6 parcels need you' }).waitFor()
    })
  })

  it('keeps its shape while it is loading', async () => {
    await visit(editorOf(busy), async (page) => {
      await page.route(/\/(attention|analytics\/summary)/, () => {})
      await page.goto(home(busy))
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      await page.locator('main [aria-busy=true]').nth(1).waitFor()
      await picture(page, 'home-loading')
    })
  })
})
