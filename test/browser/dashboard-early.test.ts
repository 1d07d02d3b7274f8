import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { openDashboard, settled, visit } from '../harness/dashboard.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

/** Runs before the page's scripts: notes which calls were made early, and which of them were taken over. */
const observer = `{
  let early
  window.made = []
  window.taken = []
  Object.defineProperty(window, 'doorstepEarly', {
    get: () => early,
    set: (calls) => {
      early = calls
      window.made = [...calls.keys()]
      const remove = calls.delete.bind(calls)
      calls.delete = (key) => { window.taken.push(key); return remove(key) }
    },
  })
}`

/** Pages, some with choices in their address that change their requests. */
const addresses = [
  '',
  '?days=7',
  '/exceptions?kind=late',
  '/claims',
  '/claims/reasons',
  '/orders?q=10&status=placed',
  '/shipments?carrier=dhl&phase=delivered',
  '/performance?days=30&carrier=dhl',
  '/marketing/campaigns?status=active',
  '/marketing/discounts',
  '/marketing/deals',
  '/carriers/providers',
  '/connect',
  '/messages/integrations',
  '/messages/triggers',
  '/settings/shop',
]

let shop: TestShop

describeInBrowser('calls that are made while the scripts of the dashboard load', () => {
  beforeAll(async () => {
    const { service } = await openDashboard()
    shop = await makeShop({}, service)
    const editor = shop.as('editor')
    const parcel = uniqueNumber('JD0140')
    const shipment = {
      tracking_number: parcel,
      tracking_placed_at: clock.now().toISOString(),
      carrier_reference: 'dhl',
    }
    await editor.put('/orders', upsertOf(uniqueNumber(), {}, [shipment]))
    const event_time = clock.now().toISOString()
    await editor.post('/shipment-events', { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED', event_time })
    await rollUpFigures(service.context())
  })

  const read = (page: Page, what: 'made' | 'taken') => page.evaluate<string[]>(`window.${what}`)

  it('are the ones that the page makes, and it makes none of them again', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await page.addInitScript({ content: observer })
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      for (const address of addresses) {
        requested.length = 0
        await page.goto(`/dashboard/${shop.slug}${address}`)
        await settled(page)
        const made = await read(page, 'made')
        expect(made.length, address).toBeGreaterThan(1)
        await until(async () => ((await read(page, 'taken')).length >= made.length ? true : undefined)).catch(() => {})
        expect((await read(page, 'taken')).sort(), address).toEqual(made.sort())
        const urls = made.map((key) => key.slice(key.indexOf(' ') + 1))
        expect(requested.filter((url) => urls.includes(url)).sort(), address).toEqual(urls.sort())
      }
    })
  })

  it('are in the language that the reader has chosen', async () => {
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await page.addInitScript({ content: `${observer}; localStorage.setItem('doorstep.language', 'de')` })
      const languages = new Set<string | undefined>()
      page.on('request', (request) => {
        if (request.url().includes('/v1/')) languages.add(request.headers()['accept-language'])
      })
      await page.goto(`/dashboard/${shop.slug}/orders`)
      await settled(page)
      expect([...languages]).toEqual(['de'])
      const texts = async () => {
        const scripts = await page.locator('link[rel=modulepreload]').evaluateAll((all) => all.map(({ href }) => href))
        return scripts.map((url) => /\/(en|de)-/.exec(url)?.[1]).filter((found) => found !== undefined)
      }
      expect(await texts()).toEqual(['en'])
      await page.reload()
      expect(await texts()).toEqual(['de'])
    })
  })

  it('are none of a stranger', async () => {
    await visit({}, async (page) => {
      await page.addInitScript({ content: observer })
      await page.goto(`/dashboard/${shop.slug}/orders`)
      await settled(page)
      expect(await page.evaluate('window.doorstepEarly')).toBeUndefined()
    })
  })
})
