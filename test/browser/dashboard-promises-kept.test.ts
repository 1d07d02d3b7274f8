import { beforeAll, expect, it } from 'vitest'
import { rollUpFigures } from '../../src/figures/analytics/roll-up.ts'
import { promiseId, type ShownPromise } from '../../src/orders/promises/promise-id.ts'
import { after, dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { EvaluationMemory, evaluateExceptions } from '../../src/tracking/exceptions/evaluate.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { shopIdOf } from '../harness/customers.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, visit } from '../harness/dashboard.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { pagePathOf } from '../harness/pages.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop
/** Orders by what became of their promise. */
const orders: Record<'kept' | 'broken' | 'open' | 'at_risk' | 'given', string> = {
  kept: '',
  broken: '',
  open: '',
  at_risk: '',
  given: '',
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

interface Sent {
  sentDaysAgo: number
  /** Days after it was sent. */
  latest: number
  deliveredAfter?: number
  carrier?: string
  isGiven?: boolean
}

/** An order with a promise by id, or as the shop states it; its number. */
async function send(shopId: string, given: Sent): Promise<string> {
  const { sentDaysAgo, latest, deliveredAfter, carrier = 'dhl', isGiven = false } = given
  const editor = shop.as('editor')
  const sent = after(clock.now(), -sentDaysAgo * dayMs)
  const [number, parcel] = [uniqueNumber(), uniqueNumber('JD0142')]
  const shown: ShownPromise = {
    method: 'Standard',
    carrierReference: carrier,
    service: null,
    countryCode: 'DE',
    earliest: dayOf(after(sent, dayMs)),
    likeliest: dayOf(after(sent, latest * dayMs)),
    latest: dayOf(after(sent, latest * dayMs)),
    percentile: 0.9,
    shareByLatest: 0.93,
    sampleSize: 412,
    basis: 'route',
    issuedAt: sent,
  }
  const promise = isGiven
    ? { promised_delivery: { latest: shown.latest, method: 'Express' } }
    : { promise_id: promiseId(service.context(), shopId, shown) }
  await editor.put(
    '/orders',
    upsertOf(
      number,
      {
        order_placed_at: sent.toISOString(),
        address: { name: 'Ada Example', country_code: 'DE', zip_code: '10115' },
        products: [{ title: 'Wool socks', quantity: 1, price: 12 }],
        ...promise,
      },
      [{ tracking_number: parcel, tracking_placed_at: sent.toISOString(), carrier_reference: carrier }],
    ),
  )
  if (deliveredAfter !== undefined) {
    const event_time = after(sent, deliveredAfter * dayMs).toISOString()
    await editor.post('/shipment-events', { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED', event_time })
  }
  return number
}

async function idOf(number: string): Promise<string> {
  return (await shop.as('viewer').get(`/orders?order_number=${number}`)).body[0].uuid
}

const evaluate = () => evaluateExceptions(service.context(), new EvaluationMemory())

describeInBrowser('promises and what became of them, in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({ name: 'River & Pine' }, service)
    const shopId = await shopIdOf(service, shop)
    for (let parcel = 0; parcel < 24; parcel += 1) {
      const sentDaysAgo = 8 + parcel
      // Every eighth is late.
      const deliveredAfter = parcel % 8 === 7 ? 6 : 3
      await send(shopId, { sentDaysAgo, latest: 4, deliveredAfter })
    }
    for (let parcel = 0; parcel < 3; parcel += 1) {
      await send(shopId, { sentDaysAgo: 9 + parcel, latest: 5, deliveredAfter: 4, carrier: 'gls' })
    }
    orders.kept = await send(shopId, { sentDaysAgo: 7, latest: 4, deliveredAfter: 3 })
    orders.broken = await send(shopId, { sentDaysAgo: 7, latest: 3 })
    orders.open = await send(shopId, { sentDaysAgo: 0, latest: 14 })
    orders.at_risk = await send(shopId, { sentDaysAgo: 0, latest: 1 })
    orders.given = await send(shopId, { sentDaysAgo: 0, latest: 14, isGiven: true })
    await evaluate()
    await rollUpFigures(service.context())
  }, 300_000)

  it('are in the order, with their basis, and lead from the exception', async () => {
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/exceptions`)
      await page.getByRole('link', { name: /^At risk/ }).click()
      await page.waitForURL(/kind=at_risk/)
      await page.getByText(/^It will probably not arrive by .*, as promised: the chance is /).waitFor()
      await expectGoodLooks(page, 'exceptions-at-risk')
      const promise = page.getByRole('region', { name: 'Promised delivery' })
      for (const [state, words] of [
        ['at_risk', 'It will probably not arrive in time.'],
        ['kept', 'Delivered in time, on '],
        ['broken', 'It should have arrived by '],
        ['open', 'This was promised when the order was placed.'],
      ] as const) {
        await go(page, `/dashboard/${shop.slug}/orders/${await idOf(orders[state])}`)
        const text = await promise.innerText()
        expect(text).toContain(words)
        expect(text).toContain('412 parcels on this route; 93% of them arrived by then')
        if (state !== 'open') expect(text.includes('Chance to arrive in time')).toBe(state === 'at_risk')
        if (state === 'at_risk') await expectGoodLooks(page, 'order-at-risk')
        else await picture(page, `order-promise-${state}`)
      }
    })
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/orders/${await idOf(orders.given)}`)
      await page.getByText('mit der Bestellung angegeben; worauf sie beruht, wissen wir nicht').waitFor()
      await picture(page, 'order-promise-given-german')
    })
  })

  it('are counted on the performance page, next to the share that was promised, by route', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/performance`)
      const kept = page.getByRole('region', { name: 'Promises kept' })
      await kept.getByText(/^8\d(\.\d)?% of the 29 promises /).waitFor()
      const chart = page.getByRole('figure', { name: 'Promised and kept, by route' })
      await expect
        .poll(() => chart.innerText())
        .toMatch(/DHL → Germany\s+8\d(\.\d)?% in time, 90% promised\s+22 of 26 promises kept/)
      // Too few for a rate.
      await expect.poll(() => chart.innerText()).toMatch(/GLS → Germany\s+3 promises decided: too few for a rate/)
      await expectGoodLooks(page, 'performance-promises')
      await chart.getByRole('button', { name: 'Table' }).click()
      await expect.poll(() => chart.getByRole('row').count()).toBe(3)
      await chart.getByRole('button', { name: 'Table' }).click()
      await chart.getByRole('link', { name: 'DHL → Germany' }).click()
      await page.waitForURL(/performance\/parcels\?.*carrier=dhl/)
    })
    await visit({ as: { shop, role: 'viewer' }, size: phone, language: 'de' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/performance`)
      await page.getByText(/^8\d(,\d)?\s% der 29 Zusagen /).waitFor()
      await picture(page, 'performance-promises-german')
    })
  })

  it('follow the parcel on the page of the customer, without alarm', async () => {
    for (const [state, words] of [
      ['kept', / and delivered in time\.$/],
      ['at_risk', /\. It may arrive a little later\.$/],
      ['broken', /\. We are sorry that it is taking longer\.$/],
      ['open', /^Promised/],
    ] as const) {
      const path = await pagePathOf(shop.as('editor'), orders[state])
      await visit({ size: phone }, async (page) => {
        await page.goto(path)
        await expect.poll(() => page.locator('.hero .promise').innerText()).toMatch(words)
        await picture(page, `page-promise-${state}`)
      })
    }
  })
})
