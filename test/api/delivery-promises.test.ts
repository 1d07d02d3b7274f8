import { afterAll, describe, expect, it } from 'vitest'
import { maxPromiseIdLength, readPromiseId } from '../../src/orders/promises/promise-id.ts'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { languages } from '../../src/platform/foundation/languages.ts'
import { shopIdOf } from '../harness/customers.ts'
import { deliverParcels, leipzig, moveTo, setPromises, standard } from '../harness/promises.ts'
import { call, clock, startNode, theService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

afterAll(() => clock.reset())

const path = '/delivery-promises'
const tuesday = '2026-11-17T09:48:00Z'

async function shopWith(settings: object): Promise<TestShop> {
  const shop = await makeShop()
  await setPromises(shop, { warehouses: [leipzig], methods: [standard], ...settings })
  return shop
}

async function ask(shop: TestShop, query: Record<string, string> = {}) {
  const { status, body, text } = await shop.as('viewer').get(path, { country_code: 'DE', ...query })
  expect(status, text).toBe(200)
  return body
}

describe('a delivery promise', () => {
  it('counts the days of the table from the next hand-over if there are no parcels to learn from', async () => {
    moveTo(tuesday)
    const shop = await shopWith({ methods: [standard, { ...standard, name: 'Freight', table_days: null }] })
    const { generated_at, ...reply } = await ask(shop, { zip_code: ' 10115 ' })
    expect(generated_at).toMatch(/^2026-11-17T09:48:/)
    expect(reply).toEqual({
      valid_until: '2026-11-17T13:00:00.000Z',
      percentile: 0.9,
      country_code: 'DE',
      zip_code: '10115',
      promises: [
        {
          id: expect.stringMatching(/^dp1\.[\w-]+\.[\w-]{22}$/),
          method: 'Standard',
          carrier_reference: 'dhl',
          carrier_name: 'DHL',
          service: null,
          order_by: '2026-11-17T13:00:00.000Z',
          handed_over_on: '2026-11-17',
          earliest: '2026-11-18',
          likeliest: '2026-11-19',
          latest: '2026-11-20',
          share_by_latest: null,
          sample_size: 0,
          basis: 'table',
          text: expect.stringMatching(/^Arrives Wed 18 – Fri 20 Nov if ordered within 3 h 1[12] min$/),
        },
      ],
      without_promise: [{ method: 'Freight', reason: 'no_history' }],
    })
  })

  it("states the share and number of the route's past parcels, and follows the shop's percentile", async () => {
    moveTo('2026-11-18T09:00:00Z')
    const shop = await shopWith({ percentile: 0.8 })
    await deliverParcels(
      shop.as('editor'),
      Array.from({ length: 40 }, (_, index) => (index % 10 === 0 ? 5 : 2)),
    )
    clock.advance(11 * minuteMs)
    const [promise] = (await ask(shop, { zip_code: '10117' })).promises
    expect(promise).toMatchObject({ basis: 'route', sample_size: 40, earliest: '2026-11-20', latest: '2026-11-20' })
    expect(promise.share_by_latest).toBeGreaterThanOrEqual(0.8)
    expect(promise.text).toMatch(/^Arrives Fri 20 Nov if/)

    await setPromises(shop, { percentile: 0.99 })
    const [careful] = (await ask(shop, { zip_code: '10117' })).promises
    expect(careful.latest >= '2026-11-25').toBe(true)
    expect(careful.share_by_latest).toBeGreaterThanOrEqual(0.99)

    // Few parcels of its own: the region borrows from the country.
    expect((await ask(shop, { zip_code: '80331' })).promises[0].basis).toBe('country')
    expect((await ask(shop, { country_code: 'AT' })).promises[0]).toMatchObject({ basis: 'carrier' })
  })

  it("prefers a method's table to the parcels of other carriers", async () => {
    moveTo('2026-11-18T09:00:00Z')
    const ups = { ...standard, carrier_reference: 'ups' }
    const shop = await shopWith({ methods: [ups, { ...ups, name: 'Without table', table_days: null }] })
    await deliverParcels(shop.as('editor'), [1, 2, 2, 3])
    clock.advance(11 * minuteMs)
    const { promises, without_promise } = await ask(shop)
    expect(promises[0]).toMatchObject({ basis: 'table', sample_size: 0, share_by_latest: null })
    const bases = [...promises.slice(1).map(({ basis }: { basis: string }) => basis), ...without_promise]
    expect(bases).toHaveLength(1)
    expect(['shop', { method: 'Without table', reason: 'no_history' }]).toContainEqual(bases[0])
  })

  it('keeps to the cut-off time by the clocks of the warehouse', async () => {
    const newark = { ...leipzig, name: 'Newark', country_code: 'US', timezone: 'America/New_York' }
    const overseas = { ...standard, name: 'Overseas', warehouse: 'Newark' }
    const shop = await shopWith({ warehouses: [leipzig, newark], methods: [standard, overseas] })
    const handOvers = async (moment: string) => {
      moveTo(moment)
      const { promises, valid_until } = await ask(shop)
      return [
        ...promises.map((made: Record<string, string>) => `${made.order_by?.slice(0, 16)} ${made.handed_over_on}`),
        valid_until.slice(0, 16),
      ]
    }
    expect(await handOvers('2026-11-18T12:59:30Z')).toEqual([
      '2026-11-18T13:00 2026-11-18',
      '2026-11-18T19:00 2026-11-18',
      '2026-11-18T13:00',
    ])
    expect(await handOvers('2026-11-18T13:00:00Z')).toEqual([
      '2026-11-19T13:00 2026-11-19',
      '2026-11-18T19:00 2026-11-18',
      '2026-11-18T19:00',
    ])
    // In Leipzig it is Thursday, in Newark still Wednesday.
    expect(await handOvers('2026-11-18T23:30:00Z')).toEqual([
      '2026-11-19T13:00 2026-11-19',
      '2026-11-19T19:00 2026-11-19',
      '2026-11-19T13:00',
    ])
    expect(await handOvers('2026-11-20T11:30:00Z')).toEqual([
      '2026-11-23T13:00 2026-11-23',
      '2026-11-20T17:00 2026-11-20',
      '2026-11-20T17:00',
    ])
  })

  it('hands over nothing at weekends and holidays, and follows the clocks into summer and winter', async () => {
    const shop = await shopWith({})
    const next = async (moment: string) => {
      moveTo(moment)
      const [promise] = (await ask(shop)).promises
      return `${promise.order_by.slice(0, 16)} ${promise.handed_over_on} ${promise.earliest}`
    }
    // Good Friday, the weekend on which summer time begins, Easter Monday.
    expect(await next('2027-03-25T13:30:00Z')).toBe('2027-03-30T12:00 2027-03-30 2027-03-31')
    expect(await next('2027-10-29T09:30:00Z')).toBe('2027-10-29T10:00 2027-10-29 2027-11-01')
    expect(await next('2027-10-29T10:30:00Z')).toBe('2027-11-01T13:00 2027-11-01 2027-11-02')
  })

  it("leaves out the warehouse's and the shop's closed days, and works on open ones", async () => {
    moveTo('2026-12-23T14:00:00Z')
    const shop = await shopWith({ warehouses: [{ ...leipzig, closed_days: ['2026-12-24'] }] })
    const handedOverOn = async () => (await ask(shop)).promises[0].handed_over_on
    expect(await handedOverOn()).toBe('2026-12-28')
    const calendar = { weekend: [6, 7], closed_days: [{ date: '2026-12-28', name: '' }], open_days: [] as object[] }
    await shop.as('admin').put('/settings/calendar', calendar)
    expect(await handedOverOn()).toBe('2026-12-29')
    const open = { ...calendar, open_days: [{ date: '2026-12-25', name: '' }] }
    await shop.as('admin').put('/settings/calendar', open)
    expect(await handedOverOn()).toBe('2026-12-25')
  })

  it('is not made by a warehouse that is closed for months', async () => {
    moveTo(tuesday)
    const days = Array.from({ length: 120 }, (_, index) => new Date(Date.parse(tuesday) + index * 24 * hourMs))
    const closed = days.map((day) => day.toISOString().slice(0, 10))
    const shop = await shopWith({ warehouses: [{ ...leipzig, closed_days: closed }] })
    expect(await ask(shop)).toMatchObject({
      promises: [],
      without_promise: [{ method: 'Standard', reason: 'warehouse_closed' }],
    })
  })

  it('adds the handling days of the warehouse and of the slowest class among the products', async () => {
    moveTo(tuesday)
    const shop = await shopWith({
      warehouses: [{ ...leipzig, handling_days: 1 }],
      shipping_classes: [
        { name: 'bulky', handling_days: 2, products: ['SKU-1'] },
        { name: 'made to order', handling_days: 5, products: ['SKU-2', '4711'] },
      ],
    })
    const handedOverOn = async (query: Record<string, string>) => (await ask(shop, query)).promises[0].handed_over_on
    expect(await handedOverOn({})).toBe('2026-11-18')
    expect(await handedOverOn({ products: 'other' })).toBe('2026-11-18')
    expect(await handedOverOn({ shipping_class: 'bulky' })).toBe('2026-11-20')
    expect(await handedOverOn({ products: 'SKU-1, 4711' })).toBe('2026-11-25')
    expect(await handedOverOn({ products: 'SKU-2', shipping_class: 'bulky' })).toBe('2026-11-25')
  })

  it('is made by methods that carry the class to the country', async () => {
    const shop = await shopWith({
      shipping_classes: [
        { name: 'bulky', handling_days: 0, products: ['SKU-1'] },
        { name: 'frozen', handling_days: 0, products: ['SKU-2'] },
      ],
      methods: [
        standard,
        { ...standard, name: 'Freight', shipping_classes: ['bulky'] },
        { ...standard, name: 'Worldwide', countries: null, carrier_reference: null },
      ],
    })
    const methods = async (query: Record<string, string>) =>
      (await ask(shop, query)).promises.map(({ method }: { method: string }) => method)
    expect(await methods({})).toEqual(['Standard', 'Worldwide'])
    expect(await methods({ country_code: 'us' })).toEqual(['Worldwide'])
    expect(await methods({ products: 'SKU-1' })).toEqual(['Standard', 'Freight', 'Worldwide'])
    expect(await methods({ products: 'SKU-1,SKU-2' })).toEqual(['Standard', 'Worldwide'])
  })

  it('is said in 16 languages, by default in that of the shop', async () => {
    moveTo(tuesday)
    const shop = await makeShop({ language: 'de' })
    await setPromises(shop, { warehouses: [leipzig], methods: [standard] })
    const texts = new Set<string>()
    for (const language of languages) texts.add((await ask(shop, { language })).promises[0].text)
    expect(texts.size).toBe(16)
    expect([...texts].filter((text) => /[{}]|undefined/.test(text))).toEqual([])
    expect((await ask(shop)).promises[0].text).toMatch(
      /^Lieferung Mi\., 18\. – Fr\., 20\. Nov\. bei Bestellung innerhalb von 3 Std\. 1[12] Min\.$/,
    )
    moveTo('2026-11-20T11:00:00Z')
    expect((await ask(shop, { language: 'en' })).promises[0].text).toBe(
      'Arrives Tue 24 – Thu 26 Nov if ordered within 3 d 1 h',
    )
    moveTo('2026-11-27T10:59:50Z')
    expect((await ask(shop, { language: 'en' })).promises[0].text).toBe(
      'Arrives Mon 30 Nov – Wed 2 Dec if ordered within 1 min',
    )
  })
})

describe('a request for delivery promises', () => {
  it('says what is wrong with it', async () => {
    const shop = await shopWith({})
    const statusOf = async (query: Record<string, string>) => (await shop.as('viewer').get(path, query)).status
    expect(await statusOf({})).toBe(422)
    expect(await statusOf({ country_code: 'Germany' })).toBe(422)
    expect(await statusOf({ country_code: 'DE', language: 'xx' })).toBe(422)
    expect(await statusOf({ country_code: 'DE', shipping_class: 'unknown' })).toBe(422)
    const products = Array.from({ length: 51 }, (_, index) => `SKU-${index}`)
    expect(await statusOf({ country_code: 'DE', products: products.join(',') })).toBe(422)
    expect(await statusOf({ country_code: 'DE', products: products.slice(1).join(',') })).toBe(200)
  })

  it('gets an empty list from a shop without methods', async () => {
    expect(await ask(await makeShop())).toMatchObject({ promises: [], without_promise: [], percentile: 0.9 })
  })

  it('may be repeated with the ETag of the last one, and is only cached for its caller', async () => {
    moveTo('2026-11-17T09:48:10Z')
    const shop = await shopWith({})
    const viewer = shop.as('viewer')
    const query = { country_code: 'DE' }
    const first = await viewer.get(path, query)
    expect(first.headers['cache-control']).toBe('private, max-age=60')
    const headers = { 'if-none-match': String(first.headers.etag) }
    expect(await viewer.get(path, query, headers)).toMatchObject({ status: 304, text: '' })
    clock.advance(minuteMs)
    expect((await viewer.get(path, query, headers)).status).toBe(200)
  })

  it('sees a change of the settings at once, on every node', async () => {
    const shop = await shopWith({})
    const auth = await shop.credentials('viewer')
    const other = await startNode({})
    try {
      const onOther = async () => {
        const authorization = `Basic ${Buffer.from(`${auth.username}:${auth.apiKey}`).toString('base64')}`
        const url = `/v1/shops/${shop.slug}${path}?country_code=DE`
        return (await other.app.inject({ method: 'GET', url, headers: { authorization } })).json().promises
      }
      expect((await onOther())[0].method).toBe('Standard')
      await setPromises(shop, { methods: [{ ...standard, name: 'Renamed' }] })
      expect((await ask(shop)).promises[0].method).toBe('Renamed')
      await expect.poll(async () => (await onOther())[0].method).toBe('Renamed')
    } finally {
      await other.stop()
    }
  })

  it('is refused to keys of other shops', async () => {
    const shop = await shopWith({})
    const stranger = await (await makeShop()).credentials('admin')
    const url = `/v1/shops/${shop.slug}${path}?country_code=DE`
    expect((await call('GET', url, { auth: stranger })).status).toBe(403)
    expect((await call('GET', url, { auth: null })).status).toBe(400)
  })
})

describe('the id of a promise', () => {
  async function shown(shop: TestShop) {
    const service = await theService()
    const context = { ...service.context(), now: clock.now() }
    const [{ id }] = (await ask(shop)).promises
    return { context, shopId: await shopIdOf(service, shop), id: id as string }
  }

  it('contains the promise as it was shown', async () => {
    moveTo(tuesday)
    const { context, shopId, id } = await shown(await shopWith({}))
    expect(readPromiseId(context, shopId, id, context.now)).toEqual({
      method: 'Standard',
      carrierReference: 'dhl',
      service: null,
      countryCode: 'DE',
      earliest: '2026-11-18',
      likeliest: '2026-11-19',
      latest: '2026-11-20',
      percentile: 0.9,
      shareByLatest: null,
      sampleSize: 0,
      basis: 'table',
      issuedAt: new Date('2026-11-17T09:00:00Z'),
    })
  })

  it('counts for its own shop only, unchanged, and for orders of the following days', async () => {
    moveTo(tuesday)
    const { context, shopId, id } = await shown(await shopWith({}))
    const read = (given: string, placedAt = context.now) => readPromiseId(context, shopId, given, placedAt)
    const [, text = '', proof = ''] = id.split('.')
    const promise = Buffer.from(text, 'base64url').toString()
    const forged = Buffer.from(promise.replace('2026-11-20', '2026-11-19')).toString('base64url')
    expect(forged).not.toBe(text)
    expect(read(`dp1.${forged}.${proof}`)).toBe('not_genuine')
    expect(read(`dp1.${text}.${'A'.repeat(22)}`)).toBe('not_genuine')
    expect(readPromiseId(context, (await shown(await shopWith({}))).shopId, id, context.now)).toBe('not_genuine')
    for (const other of ['', 'dp1', `dp2.${text}.${proof}`, `${id}x`, `dp1.${'A'.repeat(3_000)}.${proof}`]) {
      expect(read(other), other).toBe('malformed')
    }
    const days = (count: number) => new Date(context.now.getTime() + count * 24 * hourMs)
    expect(read(id, days(6))).toMatchObject({ method: 'Standard' })
    expect(read(id, days(8))).toBe('too_old')
  })

  it('is not longer than what an order may name', async () => {
    moveTo(tuesday)
    const longest = { ...standard, name: '語'.repeat(80), service: '語'.repeat(100), warehouse: 'Leipzig' }
    const { context, shopId, id } = await shown(await shopWith({ methods: [longest] }))
    expect(id.length).toBeLessThan(maxPromiseIdLength)
    expect(readPromiseId(context, shopId, id, context.now)).toMatchObject({ method: longest.name })
  })
})
