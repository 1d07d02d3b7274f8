import { afterEach, beforeAll, expect, it } from 'vitest'
import { secondMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, settled, visit } from '../harness/dashboard.ts'
import { followParcels } from '../harness/parcels.ts'
import { startReceiver } from '../harness/receiver.ts'
import { clock } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

describeInBrowser('the sandbox in the dashboard', () => {
  let service: Service

  beforeAll(async () => {
    service = (await openDashboard()).service
  })

  it('makes an order up, plays a journey beside the customer’s page, and says who was told', async () => {
    const shop = await makeShop({ name: 'River & Pine', settings: { carriers_enabled: true } }, service)
    const admin = shop.as('admin')
    const receiver = await startReceiver()
    await admin.post('/webhooks', { url: receiver.url })
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/sandbox`)
      await page.getByText('Messages are really sent').waitFor()
      await expectGoodLooks(page, 'sandbox')
      await page.getByLabel('Picked up at a parcel locker').check()
      await page.getByLabel('Speed').selectOption('1M')
      await page.getByLabel('Name of the customer').fill('Mats Holm')
      await page.getByRole('button', { name: 'Add a product' }).click()
      await page.getByLabel('Product 3', { exact: true }).fill('Tent')
      await page.getByRole('button', { name: 'Create the order and play' }).click()
      await page.waitForURL('**/sandbox/0*')
      await settled(page)
      const preview = page.frameLocator('iframe')
      await preview.getByText('Tent').first().waitFor()
      // After the eighth scan, and well before the ninth.
      clock.advance(485 * secondMs)
      await followParcels(service)
      await page.getByText('Ready for pick-up').first().waitFor()
      await preview.getByText('Sandbox Locker 142').first().waitFor()
      await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
      await page
        .getByText(/^Webhook: /)
        .first()
        .waitFor()
      await expectGoodLooks(page, 'sandbox-journey')
      const [, first = ''] = /sandbox\/(.*)$/.exec(page.url()) ?? []
      await page.getByRole('button', { name: 'Play again' }).click()
      await page.waitForURL((url) => !url.pathname.endsWith(first))
      await preview.getByText('Tent').first().waitFor()
      await go(page, `/dashboard/${shop.slug}/sandbox`)
      await expect.poll(() => page.getByRole('table', { name: 'Played before' }).getByRole('row').count()).toBe(3)
      await page.getByRole('button', { name: 'Send nothing' }).click()
      await page.getByText('The sandbox is being tested: nothing is sent').waitFor()
      expect((await admin.get('/settings/carriers/providers')).body.sandbox.status).toBe('testing')
    })
    await receiver.close()
  })

  it('says what has to be switched on before anything moves', async () => {
    const shop = await makeShop({}, service)
    await shop.as('admin').patch('/settings/carriers/providers', { sandbox: { status: 'disabled' } })
    await visit({ as: { shop, role: 'admin' }, scheme: 'dark' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/sandbox`)
      await page.getByText('The sandbox is switched off').waitFor()
      await page.getByRole('button', { name: 'Switch on', exact: true }).click()
      await page.getByText('This shop gets no updates from carriers').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Switch to testing' }).click()
      await page.getByText('The sandbox is being tested: nothing is sent').waitFor()
    })
  })
})
