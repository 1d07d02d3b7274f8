import { beforeAll, expect, it } from 'vitest'
import { addRequests } from '../../src/credentials/provider-accounts/usage-store.ts'
import { after, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { aftershipKeys, pushOf } from '../harness/aftership.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { followParcels, sendParcel } from '../harness/parcels.ts'
import { call, clock } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

describeInBrowser('carriers in the dashboard', () => {
  let service: Service
  let shop: TestShop
  let admin: ShopCaller

  beforeAll(async () => {
    service = (await openDashboard()).service
    shop = await makeShop({ settings: { carriers_enabled: true } }, service)
    admin = shop.as('admin')
    await admin.put('/keys/dhl', { api_key: 'a-key-of-dhl-that-is-long' })
    await admin.put('/keys/aftership', aftershipKeys)
    await admin.patch('/settings/carriers/providers', {
      dhl: { status: 'live' },
      aftership: { status: 'testing', enabled_carriers: ['gls'] },
      ups: { status: 'live' },
    })
    await useProviders()
  })

  /** DHL responded until an hour ago, AfterShip still does. */
  async function useProviders(): Promise<void> {
    const { db } = service.database
    const { id: shopId } = await db
      .selectFrom('shops')
      .where('slug', '=', shop.slug)
      .select('id')
      .executeTakeFirstOrThrow()
    const now = clock.now()
    await db
      .insertInto('provider_accounts')
      .values([
        {
          shop_id: shopId,
          provider: 'dhl',
          next_free_at: after(now, 3 * hourMs),
          paused_until: after(now, 20 * minuteMs),
          failures: 3,
          last_success_at: after(now, -2 * hourMs),
          last_failure_at: after(now, -5 * minuteMs),
          last_failure_status: 401,
          last_failure_detail: 'DHL replied 401: {"title":"Unauthorized"}',
          failing_since: after(now, -hourMs),
        },
        { shop_id: shopId, provider: 'aftership', next_free_at: now, last_success_at: after(now, -minuteMs) },
      ])
      .execute()
    const hourOf = (back: number) => new Date(Math.floor(now.getTime() / hourMs) * hourMs - back * hourMs)
    await addRequests(
      { db },
      Array.from({ length: 24 }, (_, back) => [
        { shopId, provider: 'dhl' as const, hour: hourOf(back), requests: 4 + (back % 7), failures: back < 2 ? 3 : 0 },
        { shopId, provider: 'aftership' as const, hour: hourOf(back), requests: (back * 5) % 9, failures: 0 },
      ]).flat(),
    )
  }

  it('show who answers, why one does not, and how much of its limit is used', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/carriers`)
      await page.waitForURL('**/carriers/providers')
      await page.getByText(/DHL hasn't answered since .*: wrong credentials\. Check them\./).waitFor()
      await page.getByText(/of 250 requests in the last 24 hours/).waitFor()
      await page.getByText('UPS is switched on, but has no credentials').waitFor()
      await expectGoodLooks(page, 'carriers-providers')
      await page.getByRole('link', { name: 'DHL', exact: true }).click()
      await settled(page)
      await page.getByText('DHL does not answer').waitFor()
      await page.getByText('In the words of DHL').click()
      await page.getByText('"title":"Unauthorized"').waitFor()
      await expectGoodLooks(page, 'carriers-provider')
      await page.getByRole('button', { name: 'Table' }).click()
      await page.getByRole('columnheader', { name: 'Requests' }).waitFor()
    })
  })

  it('are switched and limited to some carriers, with undo', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/carriers/providers/aftership`)
      await page.getByText(`/v1/inbound/${shop.slug}/carriers/aftership`).waitFor()
      await page.getByLabel('On', { exact: true }).check()
      await page.getByPlaceholder('Find a carrier').fill('dpd')
      await page.getByRole('checkbox', { name: 'DPD', exact: true }).check()
      await picture(page, 'carriers-provider-editing')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('AfterShip was saved').waitFor()
      const stored = async () => (await admin.get('/settings/carriers/providers')).body.aftership
      expect(await stored()).toMatchObject({ status: 'live', enabled_carriers: ['gls', 'dpd'] })
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(stored).toMatchObject({ status: 'testing', enabled_carriers: ['gls'] })
    })
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/carriers/providers/dhl`)
      await page.getByText('DHL antwortet nicht').waitFor()
      expect(await page.getByRole('button', { name: 'Zugangsdaten speichern' }).count()).toBe(0)
      expect(await page.getByText('Unauthorized').count()).toBe(0)
      await picture(page, 'carriers-provider-viewer-390-de')
    })
  })

  it('send codes that are explained with a preview, ignored, and taken back', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/carriers/codes`)
      await page.getByText('Every code is understood').waitFor()
      const parcel = await sendParcel(admin, { carrier_reference: 'gls' })
      const at = after(clock.now(), -minuteMs)
      const { payload, headers } = pushOf(parcel.number, [
        { at, subtag: 'Odd_001', message: 'Shipment is out for delivery' },
        { at, subtag: 'Odd_002', message: 'Handed to the night shift' },
      ])
      const path = `/v1/inbound/${shop.slug}/carriers/aftership`
      expect((await call('POST', path, { auth: null, payload, headers }, service)).status).toBe(200)
      await go(page, `/dashboard/${shop.slug}/carriers/codes`)
      const codes = page.getByRole('list', { name: 'Unknown codes' })
      const odd = codes.getByRole('listitem').filter({ hasText: 'Odd_001' })
      await odd.getByText('It may mean').waitFor()
      await odd.getByRole('link', { name: parcel.number }).waitFor()
      await expectGoodLooks(page, 'carriers-codes')
      await odd.getByRole('button', { name: 'Say what it means' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('1 parcel moves from').waitFor()
      await dialog.getByPlaceholder('Find an event').fill('delivery')
      await expectGoodLooks(page, 'carriers-map')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await page.getByText('Odd_001 is mapped').waitFor()
      await odd.waitFor({ state: 'detached' })
      await followParcels(service)
      expect((await admin.get(`/shipments/${parcel.id}`)).body.phase).toBe('in_delivery')
      await codes.getByRole('button', { name: 'Ignore' }).click()
      await page.getByText('Every code is understood').waitFor()
      await page.getByRole('link', { name: 'Explained by you' }).click()
      await page.getByText('Means: nothing, it is ignored').waitFor()
      await expectGoodLooks(page, 'carriers-codes-mapped')
      await odd.getByRole('button', { name: 'Take it back' }).click()
      await page.getByText('Odd_001 is unknown again').waitFor()
      await odd.waitFor({ state: 'detached' })
    })
  })

  it('are detected from many numbers at once', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/carriers/detect`)
      await page
        .getByLabel('Tracking numbers')
        .fill('00340434161094015902\n1Z999AA10123456784\nSBX-DELIVERED-1S-X\n???')
      await page.getByLabel('Country (optional)').fill('de')
      await page.getByRole('button', { name: 'Detect carriers' }).click()
      await page.getByRole('region', { name: '1Z999AA10123456784' }).getByText('UPS').first().waitFor()
      await page.getByRole('region', { name: '???' }).getByText('No carrier that we know').waitFor()
      await expectGoodLooks(page, 'carriers-detect')
    })
  })
})
