import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop

const carriers = [
  { carrier: 'dhl', country: 'DE', service: 'DHL Paket', perWeek: 11, days: [1, 1, 2, 2, 1, 2, 3, 1, 2, 4, 1] },
  { carrier: 'gls', country: 'AT', service: 'Standard', perWeek: 4, days: [3, 2, 5, 7] },
  { carrier: 'ups', country: 'FR', service: 'Express', perWeek: 1, days: [2] },
]
const weeks = 10

async function deliver(editor: ShopCaller, week: number, index: number, of: (typeof carriers)[number]): Promise<void> {
  const sent = after(clock.now(), -(7 * week + 9) * dayMs)
  const taken = (of.days[(index + week) % of.days.length] ?? 1) + (week === 4 ? 2 : 0)
  const parcel = uniqueNumber('JD0140')
  await editor.put(
    '/orders',
    upsertOf(
      uniqueNumber(),
      {
        order_placed_at: after(sent, -dayMs).toISOString(),
        address: { name: 'Ada Example', country_code: of.country, zip_code: '10115' },
      },
      [
        {
          tracking_number: parcel,
          tracking_placed_at: sent.toISOString(),
          carrier_reference: of.carrier,
          service: of.service,
        },
      ],
    ),
  )
  const event_time = after(sent, taken * dayMs).toISOString()
  await editor.post('/shipment-events', { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED', event_time })
}

/** Ten weeks of deliveries; what was predicted for them is three days after they were sent, give or take one. */
async function fill(made: TestShop): Promise<void> {
  const editor = made.as('editor')
  for (let week = 0; week < weeks; week += 1) {
    const all = carriers.flatMap((of) =>
      Array.from({ length: of.perWeek }, (_, index) => deliver(editor, week, index, of)),
    )
    await Promise.all(all)
  }
  await sql`update shipments set predicted_from = placed_at + interval '1 day', predicted_to = placed_at + interval '4 days'
    where shop_id = (select id from shops where slug = ${made.slug})`.execute(service.database.db)
  await rollUpFigures(service.context())
}

const address = (query = '') => `/dashboard/${shop.slug}/performance${query}`
const tile = (page: Page, name: string) => page.locator('.tile', { hasText: name }).first()
const rows = (page: Page) => page.locator('table.table tbody tr')

describeInBrowser('delivery performance in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({ name: 'River & Pine' }, service)
    await fill(shop)
  }, 300_000)

  it('says how long parcels take, in words, and leads to the parcels behind each number', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}`)
      await page.getByRole('link', { name: 'Performance', exact: true }).click()
      await page.waitForURL(/\/performance/)
      await settled(page)
      await expect
        .poll(() => tile(page, 'Nearly all').innerText())
        .toMatch(/9 in 10 parcels arrive within \d business days after they were sent\.\s+of 160 parcels/)
      await expect.poll(() => rows(page).count()).toBe(3)
      // Fewer than ten parcels to France would be no rate; over the period there are ten.
      await expect.poll(() => rows(page).nth(1).innerText()).toContain('GLS')
      await expectGoodLooks(page, 'performance')
      const late = await rows(page)
        .nth(1)
        .getByRole('link', { name: / late$/ })
        .first()
        .innerText()
      await rows(page).nth(1).getByRole('link', { name: late }).first().click()
      await page.waitForURL(/performance\/parcels\?.*carrier=gls.*outcome=late/)
      await settled(page)
      await expect.poll(() => page.locator('.page-head').innerText()).toContain(`${late.split(' ')[0]} parcels`)
      await expect.poll(() => rows(page).count()).toBe(Number(late.split(' ')[0]))
      await expectGoodLooks(page, 'performance-parcels')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()
      const file = readFileSync(await (await download).path(), 'utf8')
      expect(file.trim().split('\r\n')).toHaveLength(1 + Number(late.split(' ')[0]))
      await page.getByRole('link', { name: 'Delivery performance' }).click()
      await page.waitForURL(/performance\?carrier=gls/)
    })
  })

  it('switches between business and calendar days, order and dispatch, periods and groups, in the address', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, address())
      await page.getByRole('link', { name: 'Calendar days' }).click()
      await page.waitForURL(/unit=calendar/)
      await page.getByRole('link', { name: 'From order' }).click()
      await page.waitForURL(/since=placed/)
      await settled(page)
      await expect
        .poll(() => tile(page, 'Usual time').innerText())
        .toMatch(/Half of the parcels arrive within [\d.]+ days after the order/)
      await page.getByRole('button', { name: /^Rows by/ }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Country' }).click()
      await page.waitForURL(/group=carrier&group=country/)
      await page.keyboard.press('Escape')
      await settled(page)
      await expect.poll(() => rows(page).first().innerText()).toMatch(/DHL\s+Germany/)
      await page.getByRole('button', { name: '9 in 10 within' }).click()
      await page.waitForURL(/sort=-p90/)
      await expect.poll(() => rows(page).first().innerText()).toContain('GLS')
      await page.getByRole('link', { name: '30 days' }).click()
      await page.waitForURL(/days=30/)
      await settled(page)
      // A viewer sets no target, and sees no way to.
      expect(await page.getByRole('button', { name: 'Set a target' }).count()).toBe(0)
      expect(
        await page
          .getByText('a rate needs ten')
          .or(page.getByText(/only \d parcels?/))
          .count(),
      ).toBeGreaterThan(0)
      await picture(page, 'performance-grouped')
    })
  })

  it('draws the weeks, with the table behind them; each leads to its parcels', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, address())
      const chart = page.getByRole('figure', { name: 'Days until delivery' })
      const marks = chart.locator('svg a')
      await expect.poll(() => marks.count()).toBeGreaterThanOrEqual(12)
      await marks.last().focus()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      const words = await page.evaluate('document.activeElement.getAttribute("aria-label")')
      expect(words).toMatch(/^Week of .*: half within/)
      await page.keyboard.press('Enter')
      await page.waitForURL(/performance\/parcels\?.*week=/)
      await settled(page)
      await page.goBack()
      await settled(page)
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await expect.poll(() => chart.locator('tbody tr').count()).toBeGreaterThanOrEqual(12)
      const download = page.waitForEvent('download')
      await chart.getByRole('button', { name: 'CSV' }).click()
      const file = readFileSync(await (await download).path(), 'utf8')
      expect(file).toMatch(/^\uFEFFweek,delivered,since_placed_measured/)
    })
  })

  it('takes a target from an admin, in place', async () => {
    const other = await makeShop({ name: 'Oak & Moss' }, service)
    await Promise.all(
      carriers.slice(0, 1).flatMap((of) => of.days.map((_, index) => deliver(other.as('editor'), 1, index, of))),
    )
    await visit({ as: { shop: other, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${other.slug}/performance`)
      await page.getByRole('button', { name: 'Set a target' }).click()
      await page.getByLabel('Within how many days').fill('99')
      await page.getByRole('button', { name: 'Save the target' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Within how many days').fill('2')
      await page.getByRole('combobox', { name: 'Counted from' }).selectOption('fulfilled')
      await expectGoodLooks(page, 'performance-target')
      await page.getByRole('button', { name: 'Save the target' }).click()
      await page.getByText('Your target: parcels arrive within 2 business days after being sent.').waitFor()
      await settled(page)
      await expect.poll(() => tile(page, 'On target').innerText()).toContain('of 11 parcels')
      expect((await other.as('viewer').get('/settings/delivery-target')).body).toEqual({
        days: 2,
        unit: 'business',
        since: 'fulfilled',
      })
    })
  })

  it('teaches a shop without deliveries, in German on a phone', async () => {
    const empty = await makeShop({}, service)
    await visit({ as: { shop: empty, role: 'viewer' }, language: 'de', size: phone }, async (page) => {
      await go(page, `/dashboard/${empty.slug}/performance`)
      await page.getByText('In diesem Zeitraum wurde noch nichts zugestellt').waitFor()
      await expectGoodLooks(page, 'performance-empty')
    })
    await visit({ as: { shop, role: 'viewer' }, language: 'de' }, async (page) => {
      await go(page, address())
      await expect
        .poll(() => tile(page, 'Fast alle').innerText())
        .toContain('9 von 10 Paketen brauchen nach dem Versand höchstens')
      await picture(page, 'performance-german')
    })
  })
})

describeInBrowser('delivery days in a browser', () => {
  it('are set by an admin, beside the public holidays that count', async () => {
    ;({ service } = await openDashboard())
    const own = await makeShop({}, service)
    await visit({ as: { shop: own, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${own.slug}/settings/calendar?country=DE&year=2026`)
      await expect.poll(() => page.getByRole('row', { name: /Good Friday/ }).innerText()).toMatch(/3 Apr 2026\s+Friday/)
      await page.getByLabel('Saturday').uncheck()
      await page.getByRole('button', { name: 'Add a day without delivery' }).click()
      await page.getByLabel('Date').first().fill('2026-12-24')
      await page.getByRole('textbox', { name: 'Name' }).first().fill('Christmas Eve')
      await page.getByRole('button', { name: 'Add a day with delivery' }).click()
      await page.getByLabel('Date').nth(1).fill('2026-12-24')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Date').nth(1).fill('2026-12-20')
      await expectGoodLooks(page, 'calendar')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Delivery days saved').waitFor()
      await page.getByLabel('Country').selectOption('US')
      await page.waitForURL(/country=US/)
      await page.getByRole('row', { name: /Thanksgiving/ }).waitFor()
    })
    expect((await own.as('viewer').get('/settings/calendar')).body).toEqual({
      weekend: [7],
      closed_days: [{ date: '2026-12-24', name: 'Christmas Eve' }],
      open_days: [{ date: '2026-12-20', name: '' }],
    })
    await visit({ as: { shop: own, role: 'viewer' }, language: 'de', size: phone }, async (page) => {
      await go(page, `/dashboard/${own.slug}/settings/calendar`)
      await expect.poll(() => page.getByText('Ein Admin des Shops kann das ändern.').count()).toBe(1)
      await picture(page, 'calendar-viewer-german')
    })
  })
})
