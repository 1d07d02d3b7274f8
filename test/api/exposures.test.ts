import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { createCampaign, createTest } from '../harness/campaigns.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const { database } = await theService()

const nobody = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'

async function tokenOf(shop: ShopCaller, order: { order_number: string }): Promise<string> {
  const { body } = await shop.post('/orders/trackpage-url', { id: order.order_number })
  return body.url.split('/').at(-1)
}

const report = (token: string, what: 'exposures' | 'clicks', campaign_id: string | null) =>
  call('POST', `/v1/public/${token}/${what}`, { auth: null, body: { campaign_id } })

const resultsOf = async (shop: ShopCaller, test: { uuid: string }) =>
  (await shop.get(`/ab-tests/${test.uuid}/results`)).body

async function countViews(campaignId: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from campaign_views where subject_id = ${campaignId} order by action`.execute(database.db)
  return rows.map(({ action }) => action)
}

describe('reporting from a page', () => {
  it('counts the same view, and the same click, once per day', async () => {
    const shop = (await makeShop()).as('editor')
    const { uuid } = await createCampaign(shop, { enabled: true })
    const token = await tokenOf(shop, await createOrder(shop))
    for (let time = 0; time < 3; time += 1) {
      expect(await report(token, 'exposures', uuid)).toMatchObject({ status: 200, text: '' })
      expect((await report(token, 'clicks', uuid)).status).toBe(200)
    }
    expect(await countViews(uuid)).toEqual(['click', 'exposure'])
    try {
      clock.advance(dayMs)
      await report(token, 'exposures', uuid.toUpperCase())
    } finally {
      clock.reset()
    }
    expect(await countViews(uuid)).toEqual(['click', 'exposure', 'exposure'])
  })

  it('counts concurrent reports of one view once', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100])
    const token = await tokenOf(shop, await createOrder(shop))
    const uuid = test.campaigns[0].campaign_id
    await Promise.all(Array.from({ length: 8 }, () => report(token, 'exposures', uuid)))
    expect((await resultsOf(shop, test)).variants[0]).toMatchObject({ customers: 1, exposures: 1 })
  })

  it('requires the unaltered token of an order', async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    const { uuid } = await createCampaign(shop, { enabled: true })
    const token = await tokenOf(shop, await createOrder(shop))
    const last = token.at(-1) === 'A' ? 'B' : 'A'
    const first = token.startsWith('A') ? 'B' : 'A'
    for (const wrong of ['x', `${token}x`, token.slice(0, -1) + last, first + token.slice(1), 'A'.repeat(64)]) {
      expect(await report(wrong, 'exposures', uuid)).toMatchObject({ status: 404, body: { key: 'order_not_found' } })
    }
    await call('DELETE', `/v1/shops/${made.slug}`)
    expect((await report(token, 'clicks', uuid)).body.key).toBe('order_not_found')
  })

  it('accepts only campaigns of the shop', async () => {
    const shop = (await makeShop()).as('editor')
    const foreign = await createCampaign((await makeShop()).as('editor'), { enabled: true })
    const token = await tokenOf(shop, await createOrder(shop))
    for (const id of [foreign.uuid, nobody]) {
      expect(await report(token, 'exposures', id)).toMatchObject({ status: 404, body: { key: 'campaign_not_found' } })
    }
    expect((await report(token, 'exposures', null)).status).toBe(200)
    expect((await call('POST', `/v1/public/${token}/exposures`, { auth: null, body: {} })).status).toBe(422)
    expect((await report(token, 'clicks', null)).status).toBe(422)
  })

  it('stores nothing that identifies the customer', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100])
    const email = `ada-${uniqueNumber()}@example.com`
    await report(await tokenOf(shop, await createOrder(shop, { email_id: email })), 'exposures', test.campaigns[0].uuid)
    const { rows } = await sql<{ kept: string }>`
      select to_json(ab_test_assignments)::text || to_json(campaign_views)::text as kept
      from ab_test_assignments join campaign_views using (shop_id, test_id)
      where test_id = ${test.uuid}`.execute(database.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.kept).not.toContain(email)
  })
})

describe('first exposure', () => {
  it('decides the variant, which the customer still sees after the test has ended', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [50, 50])
    const order = await createOrder(shop)
    const offered = async () => (await shop.get(`/orders/${order.uuid}/offers`)).body.campaign
    const shown = await offered()
    await report(await tokenOf(shop, order), 'exposures', shown.uuid)
    await shop.post(`/ab-tests/${test.uuid}/end-test`)
    expect(await offered()).toEqual(shown)
  })

  it('is not counted for a variant that the customer was not assigned', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100, 0])
    const token = await tokenOf(shop, await createOrder(shop))
    await report(token, 'exposures', test.campaigns[1].campaign_id)
    await report(token, 'exposures', null)
    const { variants } = await resultsOf(shop, test)
    expect(variants.map(({ customers }: { customers: number }) => customers)).toEqual([0, 0])
  })

  it('counts for the holdout too, which is shown nothing', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100], { has_holdout: true, holdout_percentage: 100 })
    const token = await tokenOf(shop, await createOrder(shop))
    await report(token, 'exposures', null)
    await report(token, 'exposures', null)
    expect((await resultsOf(shop, test)).holdout).toMatchObject({ customers: 1, exposures: 1, clicks: 0 })
  })
})

describe('results of a test', () => {
  it('count exposures, clicks, and the orders that order analytics attribute to the page', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100])
    const campaign = test.campaigns[0]
    const customers = ['anna', 'ben', 'cleo', 'dan'].map((name) => ({ email_id: `${name}@example.com` }))
    for (const customer of customers) {
      const token = await tokenOf(shop, await createOrder(shop, customer))
      await report(token, 'exposures', campaign.uuid)
      if (customer !== customers[3]) await report(token, 'clicks', campaign.uuid)
    }
    const guest = await createOrder(shop, { email_id: null })
    await report(await tokenOf(shop, guest), 'exposures', campaign.uuid)
    const place = (fields: Record<string, unknown>, analytics: Record<string, unknown>) =>
      createOrder(shop, {
        order_placed_at: clock.now().toISOString(),
        total_order_price: 50,
        order_analytics: { source: 'trackpages', ...analytics },
        ...fields,
      })
    try {
      clock.advance(minuteMs)
      await place(customers[0] ?? {}, { campaign: campaign.name })
      await place(customers[0] ?? {}, { campaign: campaign.uuid })
      await place({ ...customers[1], currency: 'SEK' }, {})
      await place({ email_id: 'new@example.com' }, { reference_order_id: guest.uuid })
      // None of these counts: another source, a customer outside the test, an order before the first exposure.
      await place(customers[2] ?? {}, { source: 'newsletter' })
      await place({ email_id: 'stranger@example.com' }, { campaign: campaign.name })
      await place({ ...customers[3], order_placed_at: '2026-01-01T00:00:00Z' }, {})
      clock.advance(minuteMs)
      const results = await resultsOf(shop, test)
      expect(results).toMatchObject({ status: 'running', currency: 'EUR', holdout: null })
      expect(results.variants).toEqual([
        {
          campaign_id: campaign.uuid,
          name: campaign.name,
          allocation: 100,
          customers: 5,
          exposures: 5,
          clicks: 3,
          orders: 4,
          converted_customers: 3,
          conversion: { rate: 0.6, low: expect.any(Number), high: expect.any(Number) },
          revenue: 150,
          orders_in_other_currencies: 1,
          revenue_per_customer: { mean: 30, low: expect.any(Number), high: expect.any(Number) },
          chance_to_be_best: 1,
          difference_to_holdout: null,
        },
      ])
      const [{ conversion, revenue_per_customer: revenue }] = results.variants
      expect(conversion.low).toBeCloseTo(0.2307, 3)
      expect(conversion.high).toBeCloseTo(0.8824, 3)
      expect(revenue.low).toBeLessThan(30)
      expect(revenue.high).toBeGreaterThan(30)
    } finally {
      clock.reset()
    }
  })

  it('do not count an order for a variant if it names another', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop, [100, 0])
    const customer = { email_id: 'anna@example.com' }
    await report(await tokenOf(shop, await createOrder(shop, customer)), 'exposures', test.campaigns[0].uuid)
    try {
      clock.advance(minuteMs)
      const order_analytics = { source: 'trackpages', campaign: test.campaigns[1].name }
      await createOrder(shop, { ...customer, order_analytics, order_placed_at: clock.now().toISOString() })
      clock.advance(minuteMs)
      expect((await resultsOf(shop, test)).variants[0]).toMatchObject({ customers: 1, orders: 0 })
    } finally {
      clock.reset()
    }
  })
})
