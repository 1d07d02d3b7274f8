import { describe, expect, it } from 'vitest'
import { networkOf } from '../../src/platform/foundation/client-network.ts'
import { readable, sendOrder, submit, visit } from '../harness/pages.ts'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('lookup', () => {
  it('is a form that needs no script', async () => {
    const shop = await makeShop({ name: 'River & Pine' })
    const { status, headers, text } = await visit(`/track/${shop.slug}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).not.toContain('<script')
    expect(text).toContain(`<form class="card stack" method="post" action="/track/${shop.slug}"`)
    expect(readable(text)).toContain('Where is my parcel?')
    expect(text).toContain('River &amp; Pine')
  })

  it.each([
    ['the zip code', (order: Order) => ({ number: order.order_number, proof: '10115' })],
    ['the zip code in another spelling', (order: Order) => ({ number: ` ${order.order_number} `, proof: ' 101-15' })],
    ['the zip code with another blank', (order: Order) => ({ number: order.order_number, proof: '101\u00a015' })],
    ['the e-mail address', (order: Order) => ({ number: order.order_number, proof: order.email_id.toUpperCase() })],
    ['the name of the order', (order: Order) => ({ number: order.order_name, proof: '10115' })],
    ['the number with a sign', (order: Order) => ({ number: `#${order.order_number}`, proof: '10115' })],
  ])('leads to the order by its number and %s', async (_by, fieldsOf) => {
    const shop = await makeShop()
    const { order, path } = await sendOrder(shop)
    const { status, headers } = await submit(`/track/${shop.slug}`, fieldsOf(order))
    expect({ status, location: headers.location }).toEqual({ status: 303, location: path })
    expect((await visit(path)).status).toBe(200)
  })

  it('leads to the latest of several orders that fit', async () => {
    const shop = await makeShop()
    const name = { order_name: '#GIFT' }
    const { path } = await sendOrder(shop, { ...name, order_placed_at: '2026-11-03T09:30:00Z' })
    await sendOrder(shop, { ...name, order_placed_at: '2026-11-02T09:30:00Z' })
    const { headers } = await submit(`/track/${shop.slug}`, { number: '#GIFT', proof: '10115' })
    expect(headers.location).toBe(path)
  })

  it('has the chosen language', async () => {
    const shop = await makeShop()
    const { order, path } = await sendOrder(shop)
    const { headers } = await submit(`/track/${shop.slug}?lang=de`, { number: order.order_number, proof: '10115' })
    expect(headers.location).toBe(`${path}?lang=de`)
  })

  it('returns the same page for a wrong number and a wrong proof, with the input', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const wrongProof = await submit(`/track/${shop.slug}`, { number: order.order_number, proof: '99999' })
    const wrongNumber = await submit(`/track/${shop.slug}`, { number: 'no-such-order', proof: '99999' })
    expect([wrongProof.status, wrongNumber.status]).toEqual([404, 404])
    const sameBut = (text: string, number: string) => text.replaceAll(number, '')
    expect(sameBut(wrongProof.text, order.order_number)).toBe(sameBut(wrongNumber.text, 'no-such-order'))
    expect(wrongProof.text).toContain(`value="${order.order_number}"`)
    expect(wrongProof.text).toContain('role="alert"')
  })

  it('finds no order of another shop, nor one without e-mail address and zip code', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const { order } = await sendOrder(shop, { address: null, email_id: null })
    const fields = { number: order.order_number, proof: '-' }
    expect((await submit(`/track/${shop.slug}`, fields)).status).toBe(404)
    const { order: known } = await sendOrder(shop)
    const ofOther = await submit(`/track/${other.slug}`, { number: known.order_number, proof: '10115' })
    expect(ofOther.status).toBe(404)
  })

  it('shows which field is missing, at the field', async () => {
    const shop = await makeShop()
    const { status, text } = await submit(`/track/${shop.slug}`, { number: '1001', proof: '' })
    expect(status).toBe(422)
    expect(text).toContain('aria-describedby="proof-hint proof-problem" aria-invalid="true"')
    expect(text).toContain('value="1001"')
    expect(text).not.toContain('number-problem')
  })

  it('limits wrong guesses per address', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const guess = (from: string, index: number) =>
      submit(`/track/${shop.slug}`, { number: `guess-${index}`, proof: '10115' }, { from })
    for (let index = 0; index < 12; index += 1) expect((await guess('203.0.113.7', index)).status).toBe(404)
    const { status, headers, text } = await guess('203.0.113.7', 12)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(readable(text)).toMatch(/Too many attempts\. Please try again in \d+ minutes\./)
    // Other addresses and other shops are not affected.
    const right = { number: order.order_number, proof: '10115' }
    expect((await submit(`/track/${shop.slug}`, right, { from: '203.0.113.8' })).status).toBe(303)
    const other = await makeShop()
    const elsewhere = await submit(`/track/${other.slug}`, right, { from: '203.0.113.7' })
    expect(elsewhere.status).toBe(404)
  })

  it('limits wrong guesses at one order from many addresses', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const guess = (index: number, proof: string) =>
      submit(`/track/${shop.slug}`, { number: order.order_number, proof }, { from: `198.51.100.${index}` })
    for (let index = 0; index < 25; index += 1) expect((await guess(index, `zip-${index}`)).status).toBe(404)
    expect((await guess(100, '10115')).status).toBe(429)
  })

  it.each(['', '/withdrawal'])(
    'lets the e-mail address pass when strangers have used up the zip codes: /track/…%s',
    async (below) => {
      const shop = await makeShop()
      await shop.as('admin').patch('/settings/withdrawal', { enabled: true })
      const { order, path } = await sendOrder(shop)
      const look = (number: string, proof: string, from: string) =>
        submit(`/track/${shop.slug}${below}`, { number, proof }, { from })
      const { order_number: number, email_id: email } = order
      for (const [name, block] of [
        [number, '198.51.103'],
        ['no-such-order', '198.51.104'],
      ] as const) {
        for (let index = 0; index < 25; index += 1)
          expect((await look(name, `zip-${index}`, `${block}.${index}`)).status).toBe(404)
      }
      const [blocked, unknown] = [
        await look(number, '10115', '203.0.113.30'),
        await look('no-such-order', '10115', '203.0.113.31'),
      ]
      expect([blocked.status, unknown.status]).toEqual([429, 429])
      // Nothing in the reply says which of the two orders exists.
      expect(blocked.text.replaceAll(number, '')).toBe(unknown.text.replaceAll('no-such-order', ''))
      expect(readable(blocked.text)).toContain('Try your e-mail address instead of your zip code.')
      expect((await look(number, 'wrong@example.com', '203.0.113.32')).status).toBe(404)
      const found = await look(number, email.toUpperCase(), '203.0.113.30')
      expect({ status: found.status, location: found.headers.location }).toEqual({
        status: 303,
        location: path + below,
      })
      // It does not open the order to zip codes.
      expect((await look(number, '10115', '203.0.113.33')).status).toBe(429)
    },
  )

  it('does not count wrong e-mail addresses for the zip codes of an order, and limits them per network', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const look = (proof: string, from: string) =>
      submit(`/track/${shop.slug}`, { number: order.order_number, proof }, { from })
    for (let index = 0; index < 25; index += 1)
      expect((await look(`guess-${index}@example.com`, `198.51.105.${index}`)).status).toBe(404)
    // One network (/24, /48) has no more guesses at an order than anybody has at its zip code.
    const there = await look(order.email_id, '198.51.105.100')
    expect(there.status).toBe(429)
    expect(readable(there.text)).not.toContain('instead of your zip code')
    expect((await look('10115', '198.51.105.101')).status).toBe(303)
    for (let index = 0; index < 25; index += 1)
      expect((await look(`guess-${index}@example.com`, `2001:db8:7:${index}::1`)).status).toBe(404)
    expect((await look(order.email_id, '2001:db8:7:ff::1')).status).toBe(429)
    expect((await look(order.email_id, '203.0.113.40')).status).toBe(303)
    for (let index = 0; index < 25; index += 1)
      expect((await look(`zip-${index}`, `198.51.106.${index}`)).status).toBe(404)
    expect((await look('10115', '203.0.113.41')).status).toBe(429)
  })

  it('does not tell that an e-mail address passes to an address that has used up its attempts', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const look = (proof: string) =>
      submit(`/track/${shop.slug}`, { number: order.order_number, proof }, { from: '203.0.113.50' })
    for (let index = 0; index < 12; index += 1) expect((await look(`guess-${index}@example.com`)).status).toBe(404)
    const { status, text } = await look('10115')
    expect(status).toBe(429)
    expect(readable(text)).not.toContain('instead of your zip code')
    expect((await look(order.email_id)).status).toBe(429)
  })

  it('allows no more attempts than its limits to concurrent requests', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const guess = (index: number, from: string) =>
      submit(`/track/${shop.slug}`, { number: order.order_number, proof: `zip-${index}` }, { from })
    const ofOne = await Promise.all(Array.from({ length: 300 }, (_, index) => guess(index, '203.0.113.20')))
    expect(ofOne.filter(({ status }) => status === 404)).toHaveLength(12)
    // Rejected attempts of one address do not count for the order: 25 minus 12 are left for others.
    const ofMany = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index, `198.51.101.${index}`)))
    expect(ofMany.filter(({ status }) => status === 404)).toHaveLength(13)
  })

  it('finds the order by every spelling of its number', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const number: string = order.order_number
    const spellings = [number, `#${number}`, `#  ${number}`, `# #${number}`, number.toLowerCase(), `${number}\u200b`]
    const guess = (index: number) =>
      submit(
        `/track/${shop.slug}`,
        { number: spellings[index % spellings.length] ?? '', proof: `zip-${index}` },
        { from: `198.51.102.${index}` },
      )
    for (let index = 0; index < 25; index += 1) expect((await guess(index)).status).toBe(404)
    for (let index = 25; index < 31; index += 1) expect((await guess(index)).status).toBe(429)
  })

  it('does not count successful attempts', async () => {
    const shop = await makeShop()
    const { order } = await sendOrder(shop)
    const find = () =>
      submit(`/track/${shop.slug}`, { number: order.order_number, proof: '10115' }, { from: '203.0.113.21' })
    for (let time = 0; time < 30; time += 1) expect((await find()).status).toBe(303)
  })

  it('counts an IPv6 network as one address', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2')
    expect(networkOf('2001:db8:1:2::6')).toBe('2001:db8:1:2')
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0')
    expect(networkOf('::1')).toBe('0:0:0:0')
    expect(networkOf('::ffff:203.0.113.7')).toBe('::ffff:203.0.113.7')
  })

  it('accepts only a form', async () => {
    const shop = await makeShop()
    const { status, headers } = await call('POST', `/track/${shop.slug}`, { auth: null, body: { number: '1' } })
    expect(status).toBe(415)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const nothing = await submit(`/track/${shop.slug}`, { number: 'a\0b', proof: '\0' })
    expect(nothing.status).toBe(422)
  })
})

interface Order {
  order_number: string
  order_name: string
  email_id: string
}
