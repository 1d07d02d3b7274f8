import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../harness/browser.ts'
import { go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const dayMs = 86_400_000
const count = 60

/** The newest first. Every third is sent; those are spread over both pages. */
const names = Array.from({ length: count }, (_, index) => `#${1_000 + count - index}`)
const isSent = (index: number) => index % 3 === 0
const sent = names.filter((_, index) => isSent(index))
const unsent = names.filter((_, index) => !isSent(index))

describeInBrowser('a list in the dashboard over time', () => {
  let shop: TestShop

  beforeAll(async () => {
    shop = await makeOrders()
  })

  it('filtered on its second page, begins with the first', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders?page=2`)
      await expect.poll(() => namesIn(page)).toEqual(names.slice(50))
      await chooseStatus(page, 'Unfulfilled')
      await expect.poll(() => namesIn(page)).toEqual(unsent)
      await page.getByText('1–40 of 40').waitFor()
      expect(new URL(page.url()).search).toBe('?status=placed')
    })
  })

  it('searched on its second page, begins with the first', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders?page=2`)
      await page.getByRole('searchbox').fill(names[3] ?? '')
      await expect.poll(() => namesIn(page)).toEqual(names.slice(3, 4))
      expect(new URL(page.url()).searchParams.has('page')).toBe(false)
      await page.getByRole('searchbox').fill('')
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
    })
  })

  it('sorted on its second page, begins with the first, in the other order', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders?page=2`)
      await page.getByRole('columnheader').getByRole('button', { name: 'Placed' }).click()
      await expect.poll(() => namesIn(page)).toEqual(names.toReversed().slice(0, 50))
      expect(new URL(page.url()).search).toBe('?sort=placed_at')
      await page.getByRole('columnheader').getByRole('button', { name: 'Placed' }).click()
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
    })
  })

  it('narrowed and widened again, has each time all its rows, and none of them is new', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders`)
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
      await chooseStatus(page, 'Fulfilled')
      await expect.poll(() => namesIn(page)).toEqual(sent)
      await chooseStatus(page, 'Unfulfilled')
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
      expect(await newRows(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Clear filter: Status' }).click()
      await page.getByText('1–50 of 60').waitFor()
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
      expect(await newRows(page).count()).toBe(0)
    })
  })

  it('keeps the columns that were chosen when its filters are cleared, on the page that is open', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders?page=2`)
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Country' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('columnheader', { name: 'Country' }).waitFor()
      await expect.poll(() => namesIn(page)).toEqual(names.slice(50))
      await page.getByRole('searchbox').fill('nobody-of-this-name')
      await page.getByRole('button', { name: 'Clear search and filters' }).click()
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
      await page.getByRole('columnheader', { name: 'Country' }).waitFor()
    })
  })

  it('does not move while it is looked at: what is new waits until it is asked for', async () => {
    const own = await makeOrders()
    await visit({ as: { shop: own, role: 'viewer' }, movesClock: true }, async (page) => {
      await page.clock.install()
      await go(page, `/dashboard/${own.slug}/orders`)
      await expect.poll(() => namesIn(page)).toEqual(names.slice(0, 50))
      await page
        .getByRole('row', { name: new RegExp(`${names[4]}`) })
        .getByRole('checkbox')
        .check()
      await placeOrder(own, '#2001', 0, false)
      await placeOrder(own, '#2002', -1, false)
      await page.clock.fastForward(20_000)
      await newRows(page).waitFor()
      expect(await newRows(page).innerText()).toBe('2 new')
      // Two fell off the end of the page.
      expect(await namesIn(page)).toEqual(names.slice(0, 48))
      await picture(page, 'list-new-rows')
      await page.setViewportSize(phone)
      await picture(page, 'list-new-rows-phone')
      await newRows(page).click()
      await expect.poll(() => namesIn(page)).toEqual(['#2002', '#2001', ...names.slice(0, 48)])
      expect(await newRows(page).count()).toBe(0)
      // The rows selected before stay selected.
      await page.getByText('1 selected').waitFor()
    })
  })
})

/** A shop with the orders of two pages. */
async function makeOrders(): Promise<TestShop> {
  const { service } = await openDashboard()
  const shop = await makeShop({}, service)
  for (const [index, name] of names.entries()) await placeOrder(shop, name, index + 1, isSent(index))
  return shop
}

async function placeOrder(shop: TestShop, name: string, daysAgo: number, isSent: boolean): Promise<void> {
  const placedAt = new Date(Date.now() - daysAgo * dayMs).toISOString()
  const { status, text } = await shop
    .as('editor')
    .put(
      '/orders',
      upsertOf(
        uniqueNumber(),
        { order_name: name, order_placed_at: placedAt },
        isSent
          ? [{ tracking_number: uniqueNumber('JD0141'), carrier_reference: 'dhl', tracking_placed_at: placedAt }]
          : [],
      ),
    )
  expect(status, text).toBe(200)
}

async function chooseStatus(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Status' }).first().click()
  await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await settled(page)
}

function newRows(page: Page) {
  return page.getByRole('button', { name: /^\d+ new$/ })
}

/** The first cell of each row. */
async function namesIn(page: Page): Promise<string[]> {
  return page.locator('tbody tr td:not(.choose):nth-child(2)').allInnerTexts()
}
