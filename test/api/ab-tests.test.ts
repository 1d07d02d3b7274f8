import { describe, expect, it } from 'vitest'
import { after, dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import { fillTest } from '../harness/ab-tests.ts'
import { createCampaign, createTest } from '../harness/campaigns.ts'
import { clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

// The first start of a store may take longer than the time limit of a test.
const service = await theService()

const nobody = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'
const days = (count: number) => after(clock.now(), count * dayMs).toISOString()

/** Creates tests of one campaign, for the periods that are given. */
async function testSender(shop: ShopCaller) {
  const { uuid } = await createCampaign(shop)
  return (fields: Record<string, unknown>) =>
    shop.post('/ab-tests', {
      name: 'Which?',
      segment: 'default',
      campaign_type: 'basic',
      campaigns: [{ campaign_id: uuid, allocation: 100 }],
      ...fields,
    })
}

describe('creating an A/B test', () => {
  it('returns it with its campaigns', async () => {
    const shop = await makeShop()
    const test = await createTest(shop.as('editor'), [70, 30], {
      has_holdout: true,
      holdout_percentage: 10,
      end_date: days(7),
    })
    expect(test).toMatchObject({
      shop_slug: shop.slug,
      status: 'running',
      has_holdout: true,
      holdout_percentage: 10,
      ended_at: null,
      campaigns: [
        { allocation: 70, promotion_type: 'basic', status: 'inactive' },
        { allocation: 30, promotion_type: 'basic' },
      ],
    })
    expect(test.campaigns[0].uuid).toBe(test.campaigns[0].campaign_id)
    expect((await shop.as('viewer').get('/ab-tests')).body).toEqual([test])
    expect((await shop.as('superadmin').get(`/ab-tests/${test.uuid}`)).body).toEqual(test)
  })

  it('rejects inconsistent input, and names the field', async () => {
    const shop = (await makeShop()).as('editor')
    const one = (await createCampaign(shop)).uuid
    const two = (await createCampaign(shop)).uuid
    const refusal = async (fields: Record<string, unknown>) => {
      const campaigns = [
        { campaign_id: one, allocation: 50 },
        { campaign_id: two, allocation: 50 },
      ]
      const test = { name: 'Which?', segment: 'default', campaign_type: 'basic', campaigns, ...fields }
      const { status, body } = await shop.post('/ab-tests', test)
      return [status, body.key, body.errors[0]?.loc.join('.')]
    }
    const unequal = [
      { campaign_id: one, allocation: 50 },
      { campaign_id: two, allocation: 49 },
    ]
    const twice = [
      { campaign_id: one, allocation: 50 },
      { campaign_id: one.toUpperCase(), allocation: 50 },
    ]
    const holdout = 'body.holdout_percentage'
    expect(await refusal({ campaigns: unequal })).toEqual([422, 'invalid_payload', 'body.campaigns'])
    expect(await refusal({ campaigns: [] })).toEqual([422, 'invalid_payload', 'body.campaigns'])
    expect(await refusal({ campaigns: twice })).toEqual([422, 'invalid_payload', 'body.campaigns.1.campaign_id'])
    expect(await refusal({ has_holdout: true, holdout_percentage: 101 })).toEqual([422, 'invalid_payload', holdout])
    expect(await refusal({ has_holdout: true })).toEqual([422, 'invalid_payload', holdout])
    expect(await refusal({ holdout_percentage: 10 })).toEqual([422, 'invalid_payload', holdout])
    expect(await refusal({ start_date: days(2), end_date: days(1) })).toEqual([422, 'invalid_payload', 'body.end_date'])
    const other = 'body.campaigns.0.campaign_id'
    expect(await refusal({ segment: 'vip' })).toEqual([422, 'campaign_type_invalid', other])
    expect(await refusal({ campaign_type: 'banner' })).toEqual([422, 'campaign_type_invalid', other])
    expect(await refusal({ campaign_type: 'popup' })).toEqual([422, 'campaign_type_invalid', 'body.campaign_type'])
    const missing = { campaigns: [{ campaign_id: nobody, allocation: 100 }] }
    expect(await refusal(missing)).toEqual([404, 'campaign_not_found', undefined])
    await shop.delete(`/campaigns/${two}`)
    expect(await refusal({})).toEqual([404, 'campaign_not_found', undefined])
    expect((await shop.get('/ab-tests')).body).toEqual([])
  })

  it('rejects a second test of the segment in the same period, also a concurrent one', async () => {
    const shop = (await makeShop()).as('editor')
    const send = await testSender(shop)
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => send({ start_date: days(10), end_date: days(20) })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.key).toBe('a_b_test_overlap')
    expect((await send({ start_date: days(19) })).body.key).toBe('a_b_test_overlap')
    expect((await send({ start_date: days(20) })).status).toBe(200)
  })

  it('lets tests overlap in times when they do not run', async () => {
    const shop = (await makeShop()).as('editor')
    const send = await testSender(shop)
    const planned = await send({ start_date: days(-5), end_date: days(5) })
    expect(planned.status).toBe(200)
    try {
      clock.advance(dayMs)
      expect((await shop.post(`/ab-tests/${planned.body.uuid}/end-test`)).status).toBe(200)
      clock.advance(hourMs)
      // Its start is in the past, when the other test ran; it begins now.
      const next = await send({ start_date: days(-4), end_date: days(4) })
      expect(next.status).toBe(200)
      expect((await send({ start_date: days(3) })).body.key).toBe('a_b_test_overlap')
      // A test that is ended before its start never ran.
      const later = await send({ start_date: days(6), end_date: days(9) })
      expect((await shop.post(`/ab-tests/${later.body.uuid}/end-test`)).status).toBe(200)
      expect((await send({ start_date: days(5) })).status).toBe(200)
    } finally {
      clock.reset()
    }
  })
})

describe('A/B test', () => {
  it('is scheduled, runs and completes by the clock', async () => {
    const shop = await makeShop()
    const { uuid } = await createTest(shop.as('editor'), [100], { start_date: days(1), end_date: days(2) })
    const status = async () => (await shop.as('superadmin').get(`/ab-tests/${uuid}`)).body.status
    try {
      for (const expected of ['scheduled', 'running', 'completed']) {
        expect(await status()).toBe(expected)
        clock.advance(dayMs + 60_000)
      }
    } finally {
      clock.reset()
    }
  })

  it('is completed once when it is ended, and no longer blocks the next', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop)
    const ended = await shop.post(`/ab-tests/${test.uuid}/end-test`)
    expect(ended).toMatchObject({ status: 200, body: { status: 'completed', ended_at: expect.any(String) } })
    expect((await shop.post(`/ab-tests/${test.uuid}/end-test`)).body).toEqual(ended.body)
    expect((await createTest(shop)).status).toBe('running')
  })

  it('is not found if it is unknown or of another shop', async () => {
    const shop = await makeShop()
    const { uuid } = await createTest((await makeShop()).as('editor'))
    const missing = { status: 404, body: { key: 'a_b_test_not_found' } }
    for (const id of [uuid, nobody]) {
      expect(await shop.as('superadmin').get(`/ab-tests/${id}`)).toMatchObject(missing)
      expect(await shop.as('editor').post(`/ab-tests/${id}/end-test`)).toMatchObject(missing)
      expect(await shop.as('viewer').get(`/ab-tests/${id}/results`)).toMatchObject(missing)
    }
  })

  it('still shows a campaign that was deleted', async () => {
    const shop = (await makeShop()).as('editor')
    const test = await createTest(shop)
    await shop.delete(`/campaigns/${test.campaigns[0].campaign_id}`)
    expect((await shop.get('/ab-tests')).body[0].campaigns).toHaveLength(2)
  })

  it('has results even before anybody has seen it', async () => {
    const shop = (await makeShop()).as('editor')
    const { uuid } = await createTest(shop, [50, 50], { has_holdout: true, holdout_percentage: 20 })
    const { body } = await shop.get(`/ab-tests/${uuid}/results`)
    expect(body).toMatchObject({
      uuid,
      status: 'running',
      segment: 'default',
      campaign_type: 'basic',
      end_date: null,
      sample_ratio: { is_mismatched: false, p_value: null },
      verdict: { kind: 'too_early', campaign_id: null, difference: null },
    })
    expect(body.variants).toHaveLength(2)
    expect(body.variants[0]).toMatchObject({ customers: 0, conversion: null, chance_to_be_best: null })
    expect(body.holdout).toMatchObject({ percentage: 20, customers: 0 })
  })

  it('says what its counts mean, in figures', async () => {
    const shop = await makeShop()
    const editor = shop.as('editor')
    const test = await createTest(editor, [50, 50], { has_holdout: true, holdout_percentage: 20, start_date: days(-1) })
    const [first, second] = test.campaigns.map(({ uuid }: { uuid: string }) => uuid)
    try {
      clock.advance(2 * dayMs)
      await fillTest(service, shop, test, [
        { campaignId: first, customers: 400, converted: 24 },
        { campaignId: second, customers: 400, converted: 48 },
        { campaignId: null, customers: 200, converted: 8 },
      ])
      const { body } = await shop.as('viewer').get(`/ab-tests/${test.uuid}/results`)
      expect(body.sample_ratio.is_mismatched).toBe(false)
      expect(body.verdict).toEqual({
        kind: 'better',
        campaign_id: second,
        compared_with: 'variant',
        other_campaign_id: first,
        chance: 0.9985,
        difference: { value: 0.06, low: 0.0204, high: 0.1004 },
        needed_customers: 356,
        days_left: 0,
      })
      expect(body.variants[1].difference_to_holdout).toMatchObject({ value: 0.08 })
      expect(body.variants[1].converted_customers).toBe(48)
      await fillTest(service, shop, test, [{ campaignId: first, customers: 300, converted: 5 }])
      const later = (await editor.get(`/ab-tests/${test.uuid}/results`)).body
      expect(later).toMatchObject({ sample_ratio: { is_mismatched: true }, verdict: { kind: 'mismatched' } })
    } finally {
      clock.reset()
    }
  })
})
