import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { findOrderToWithdraw } from '../../src/claims/withdrawals/find.ts'
import { everything } from '../../src/claims/withdrawals/items.ts'
import { stateWithdrawal } from '../../src/claims/withdrawals/statement.ts'
import { newId } from '../../src/platform/foundation/ids.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, visit } from '../harness/dashboard.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { enableWithdrawals, person, scan } from '../harness/withdrawals.ts'

let service: Service

afterEach(() => clock.reset())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** An order that arrived so many days ago and was withdrawn from today. */
async function withdrawn(shop: TestShop, arrivedDaysAgo: number) {
  const tracking = uniqueNumber('PARCEL')
  const order = await createOrder(shop.as('editor'), {}, [{ tracking_number: tracking, carrier_reference: 'dhl' }])
  await scan(shop, tracking, 'SUCCESSFULLY_DELIVERED', daysAgo(arrivedDaysAgo))
  const context = service.context()
  const stored = await context.db
    .selectFrom('shops')
    .where('slug', '=', shop.slug)
    .selectAll()
    .executeTakeFirstOrThrow()
  const inShop = { ...context, shop: stored }
  const found = await findOrderToWithdraw(inShop, order.uuid)
  const text = `I withdraw from the contract about order ${order.order_name} with River & Pine.`
  const items = everything(found?.items ?? [])
  const id = newId(context.now)
  const outcome = await stateWithdrawal(inShop, { id, orderId: order.uuid, ...person, language: 'en', items, text })
  expect(outcome).toBe('stated')
  return { order, id }
}

const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).waitFor()

describeInBrowser('withdrawals in the dashboard', () => {
  beforeAll(async () => {
    service = (await openDashboard()).service
  })

  it('are switched on, with period, country and exempt goods', async () => {
    const shop = await makeShop({ name: 'River & Pine' }, service)
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/withdrawal`)
      await page.getByLabel('Offer it on the tracking page and the look-up page').check()
      await page.getByLabel('Calendar days').fill('7')
      await page.getByLabel('Public holidays and time zone of').selectOption('DE')
      await page.getByLabel('Categories of products').fill('Made to measure\n\n Food ')
      await page.getByLabel(/^English/).fill('Send it to Mill Lane.')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Calendar days').fill('30')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'Saved')
      await page.locator('.save-bar').waitFor({ state: 'detached' })
      await expectGoodLooks(page, 'settings-withdrawal')
    })
    expect((await shop.as('viewer').get('/settings/withdrawal')).body).toEqual({
      enabled: true,
      period_days: 30,
      country: 'DE',
      exempt_categories: ['Made to measure', 'Food'],
      instructions: { en: 'Send it to Mill Lane.' },
    })
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/withdrawal`)
      await page.getByText('Nur Admins können das ändern.').waitFor()
      await picture(page, 'settings-withdrawal-viewer-german')
    })
  })

  it('are on the claims desk with statement, last day and lateness, and on the order', async () => {
    const shop = await makeShop({ name: 'River & Pine' }, service)
    await enableWithdrawals(shop)
    const inTime = await withdrawn(shop, 2)
    const late = await withdrawn(shop, 40)
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/claims/${late.id}`)
      await page.getByRole('heading', { name: 'Statement of withdrawal' }).waitFor()
      await page.getByText(`about order ${late.order.order_name}`).waitFor()
      await page.getByText('The period ended before this statement arrived').waitFor()
      await expectGoodLooks(page, 'claims-withdrawal')
      await go(page, `/dashboard/${shop.slug}/claims?kind=claim`)
      await page.getByText('No claims').or(page.locator('.empty')).first().waitFor()
      await go(page, `/dashboard/${shop.slug}/claims?kind=withdrawal`)
      await expect.poll(() => page.locator('.claim-row').count()).toBe(2)
      await go(page, `/dashboard/${shop.slug}/orders/${inTime.order.uuid}`)
      const card = page.locator('section, .card').filter({ hasText: 'Right of withdrawal' }).last()
      await card.getByText('Last day').waitFor()
      await expectGoodLooks(page, 'order-withdrawal')
    })
  })
})
