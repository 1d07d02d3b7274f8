import { describe, expect, it } from 'vitest'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const shop = await makeShop()
const editor = shop.as('editor')
const viewer = shop.as('viewer')

interface Match {
  order_id: string
  order_number: string
  matched: string
  is_exact: boolean
  shipment_id: string | null
}

async function search(q: string, limit = 20, of: TestShop = shop): Promise<{ matches: Match[]; is_complete: boolean }> {
  const { status, body } = await of.as('viewer').get('/search', { q, limit })
  expect(status).toBe(200)
  return body
}

async function placed(number: string, fields: Record<string, unknown> = {}, trackings: unknown[] = []) {
  const { headers } = await editor.put('/orders', {
    id: number,
    order: {
      order_number: number,
      external_id: uniqueNumber('external'),
      order_name: `#${number}`,
      order_placed_at: '2026-11-01T09:30:00Z',
      products: [],
      ...fields,
    },
    trackings,
  })
  return String(headers.location).split('/').at(-1) ?? ''
}

describe('search', () => {
  it('finds an order by the beginning of its number, with or without # and blanks', async () => {
    const id = await placed('700512')
    for (const q of ['700', '700512', '#7005', ' # 700512 ', '700 512', '700-51']) {
      const { matches } = await search(q)
      expect(matches, q).toMatchObject([{ order_id: id, order_number: '700512', matched: 'order_number' }])
    }
    expect((await search('700512')).matches[0]?.is_exact).toBe(true)
    expect((await search('70051')).matches[0]?.is_exact).toBe(false)
    expect((await search('00512')).matches).toEqual([])
  })

  it('ignores case, blanks and hyphens in numbers', async () => {
    const id = await placed('Ord-77 Xa', { order_name: 'Winter/9981' })
    for (const q of ['ord77', 'ORD-77x', 'ord 77 xa', 'oRd']) expect((await search(q)).matches[0]?.order_id, q).toBe(id)
    expect((await search('winter/99')).matches).toMatchObject([{ order_id: id, matched: 'order_name' }])
  })

  it('finds a parcel by its tracking number, as it is printed or read out', async () => {
    const order = await createOrder(editor, {}, [
      { tracking_number: 'JJD00 0390-007', carrier_reference: 'dhl' },
      { tracking_number: '1Z999AA10123456784' },
    ])
    const [first, second] = order.trackings
    for (const q of ['jjd000390', 'JJD 0003 90007', 'JJD00 0390-007']) {
      expect((await search(q)).matches, q).toMatchObject([
        { order_id: order.uuid, matched: 'tracking_number', shipment_id: first.uuid },
      ])
    }
    expect((await search('1z999 AA1')).matches).toMatchObject([{ shipment_id: second.uuid, is_exact: false }])
    const { body } = await viewer.get('/search', { q: 'JJD000390007' })
    expect(body.matches[0]).toMatchObject({
      is_exact: true,
      order_number: order.order_number,
      customer_name: 'Ada Example',
      status: 'fulfilled',
      parcel_count: 2,
      parcels: [
        {
          shipment_id: first.uuid,
          tracking_number: 'JJD00 0390-007',
          carrier_reference: 'dhl',
          carrier_name: expect.stringMatching(/DHL/),
          phase: 'order_processed',
          flag: 'normal',
          current_event_key: 'ORDER_PROCESSED',
          event_status: expect.stringMatching(/\w/),
        },
        { shipment_id: second.uuid, carrier_reference: 'ups' },
      ],
    })
  })

  it('says the status in the language of the caller', async () => {
    const number = uniqueNumber('LANG')
    await createOrder(editor, {}, [{ tracking_number: number }])
    const texts = await Promise.all(
      ['en', 'de'].map(async (language) => {
        const { body } = await viewer.get('/search', { q: number }, { 'accept-language': language })
        return body.matches[0].parcels[0].event_status
      }),
    )
    expect(new Set(texts).size).toBe(2)
  })

  it('finds an order by e-mail address and zip code', async () => {
    const id = await placed('email-1', {
      email_id: 'Grace.Hopper@Navy.example',
      address: { name: 'G H', zip_code: 'SW1A 2-AA' },
    })
    for (const q of ['grace.', 'GRACE.HOPPER@NAVY.EXAMPLE']) {
      expect((await search(q)).matches, q).toMatchObject([{ order_id: id, matched: 'email_id' }])
    }
    for (const q of ['sw1a', 'SW1A2', 'sw1-a 2aa']) {
      expect((await search(q)).matches, q).toMatchObject([{ order_id: id, matched: 'zip_code' }])
    }
  })

  const names: [name: string, texts: string[]][] = [
    [
      'Jürgen Maria Müller-Weiß',
      ['jurgen', 'JUERGEN m', 'jürgen maria mueller', 'weiss', 'Weiß Jürgen', 'WEISS, JURGEN'],
    ],
    ['Łukasz Żółkiewski', ['lukasz', 'zolkiew', 'Żółk', 'zolkiewski luk']],
    ["Siobhán O'Neill", ['siobhan', 'oneill', "o'nei", 'O’Neill Sio']],
    ['ИВАН ЧАЙКОВСКИЙ', ['иван', 'чайков', 'Чайковский Иван']],
    ['Γιώργος Παπαδόπουλος', ['γιωργος', 'ΠΑΠΑΔ']],
    ['Zoe\u0308 Saldana', ['Zoë', 'zoe', 'saldana z']],
    ['Madonna Ciccone-Einzig', ['madonna', 'einzig']],
  ]

  it.each(names)('finds %s by the beginning of the name, either way round', async (name, texts) => {
    const id = await placed(uniqueNumber('N'), { address: { name } })
    for (const q of texts) {
      const { matches } = await search(q)
      expect(
        matches.find(({ order_id }) => order_id === id),
        q,
      ).toMatchObject({ matched: 'customer_name' })
    }
    expect((await search(name)).matches[0]).toMatchObject({ order_id: id, is_exact: true })
  })

  it('shows exact matches first, then the newest orders', async () => {
    const address = { name: 'Rank Ranger' }
    const old = await placed('8800', { order_placed_at: '2026-01-01T00:00:00Z' })
    const middle = await placed('88001', { order_placed_at: '2026-03-01T00:00:00Z', address })
    const newest = await placed('88002', { order_placed_at: '2026-09-01T00:00:00Z', address })
    expect((await search('8800')).matches.map(({ order_id }) => order_id)).toEqual([old, newest, middle])
    expect((await search('rank')).matches.map(({ order_id }) => order_id)).toEqual([newest, middle])
  })

  it('says whether others match as well', async () => {
    for (const n of [1, 2, 3]) await placed(`66${n}`)
    expect(await search('66', 3)).toMatchObject({ is_complete: true })
    const { matches, is_complete } = await search('66', 2)
    expect(matches).toHaveLength(2)
    expect(is_complete).toBe(false)
  })

  it('finds an order once, whatever of it matches', async () => {
    const id = await placed('twice', { address: { name: 'Twice Twice' }, email_id: 'twice@example.com' })
    expect((await search('twice')).matches).toMatchObject([{ order_id: id, matched: 'order_number', is_exact: true }])
  })

  it('finds the newest orders by a text that most of them begin with', async () => {
    const other = await makeShop()
    const orders = Array.from({ length: 120 }, (_, n) => ({
      id: `M${String(n).padStart(4, '0')}`,
      order: { external_id: `m${n}`, order_placed_at: new Date(Date.UTC(2026, 0, 1, n)).toISOString(), products: [] },
      trackings: [],
    }))
    expect((await other.as('editor').put('/orders/bulk', orders)).status).toBe(200)
    const { matches, is_complete } = await search('m', 3, other)
    expect(matches.map(({ order_number }) => order_number)).toEqual(['M0119', 'M0118', 'M0117'])
    expect(is_complete).toBe(false)
  })

  it('finds nothing by blanks and punctuation', async () => {
    for (const q of ['#', '-', '%', '_', ' - ', '\\', "'"]) {
      expect(await search(q), q).toEqual({ matches: [], is_complete: true })
    }
    expect((await viewer.get('/search', { q: '' })).status).toBe(422)
    expect((await viewer.get('/search')).status).toBe(422)
    expect((await viewer.get('/search', { q: 'x'.repeat(256) })).status).toBe(422)
    expect((await viewer.get('/search', { q: 'x', limit: 21 })).status).toBe(422)
  })

  it('does not find an erased customer, only the order by its number', async () => {
    const email_id = `${uniqueNumber('erased')}@example.com`
    const name = 'Vera Vergessen'
    const id = await placed('91919', { email_id, address: { name, zip_code: '91999' } })
    expect((await shop.as('admin').post('/privacy/erase', { email: email_id })).status).toBe(200)
    for (const q of [email_id, name, 'vergessen', '91999']) expect((await search(q)).matches, q).toEqual([])
    const { body } = await viewer.get('/search', { q: '91919' })
    expect(body.matches).toMatchObject([{ order_id: id, customer_name: null, email_id: null, is_erased: true }])
  })

  it('is for keys of the shop only', async () => {
    const number = uniqueNumber('MINE')
    await placed(number)
    const other = await makeShop()
    expect((await search(number, 20, other)).matches).toEqual([])
    const auth = await other.credentials('admin')
    expect((await call('GET', `/v1/shops/${shop.slug}/search?q=1`, { auth })).status).toBe(403)
    expect((await call('GET', `/v1/shops/${shop.slug}/search?q=1`, { auth: null })).status).toBe(400)
  })
})
