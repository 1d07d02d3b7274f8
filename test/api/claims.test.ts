import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ClaimStatus, claimReasons, claimStatuses, resolutionPreferences } from '../../src/claims/claims/schema.ts'
import { dayMs, hourMs } from '../../src/platform/foundation/clock.ts'
import type { Problem } from '../../src/platform/foundation/errors.ts'
import { multipart } from '../harness/multipart.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { call, clock, type Reply } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

const owner = await makeShop()
const shop = owner.as('editor')
const nowhere = '0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d'

afterEach(() => clock.reset())

async function sendParcel(caller: ShopCaller, fields: Record<string, unknown> = {}) {
  const trackingNumber = uniqueNumber('C-')
  const order = await createOrder(caller, fields, [{ tracking_number: trackingNumber, carrier_reference: 'dhl' }])
  return { order, trackingNumber, shipmentId: order.trackings[0].id as string }
}

async function claim(caller: ShopCaller, fields: Record<string, unknown> = {}) {
  const parcel = await sendParcel(caller)
  const { body } = await caller.post('/claims', { shipment_id: parcel.shipmentId, reason: 'damage', ...fields })
  return body
}

const places = (errors: Problem[]) => errors.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()

describe('creating a claim', () => {
  it('returns it in full, with the fields derived from its order and its shipment', async () => {
    const { order, trackingNumber, shipmentId } = await sendParcel(shop)
    const scannedAt = ['2026-11-03T07:15:00.000Z', '2026-11-02T18:00:00.000Z']
    for (const [index, event_time] of scannedAt.entries()) {
      await shop.post('/shipment-events', {
        id: trackingNumber,
        event_name: `IN_DELIVERY`,
        event_time,
        external_id: `${index}`,
      })
    }
    const given = {
      reason: 'partial_damage',
      resolution_preference: 'refund',
      description: 'The sleeve is torn.',
      customer_signature_image_url: 'https://elsewhere.example/signature.png',
      selected_items: [
        {
          sku: 'RJ-42',
          title: 'Rain jacket',
          quantity: 3,
          net_price: 0.1,
          image_urls: ['https://elsewhere.example/a.jpg'],
        },
        { sku: 'SO-1', title: 'Socks', quantity: 1, net_price: 75.25, image_urls: [] },
      ],
      damaged_product_items: [{ sku: 'OLD', title: null, net_price: 9 }],
      image_urls: ['https://elsewhere.example/1.jpg', 'https://elsewhere.example/2.jpg'],
      optional_image_urls: ['https://elsewhere.example/3.jpg'],
      dropoff_permission: false,
      step_user_input: [
        {
          step_id: 'packaging',
          user_input: {
            input_type: 'choice',
            input_value: 'torn',
            translated_question: 'How was it packed?',
            translated_answer: 'The box was torn',
          },
        },
      ],
    }
    const { status, body, headers } = await shop.post('/claims', {
      shipment_id: shipmentId,
      ...given,
      color: 'ignored',
    })
    expect(status).toBe(200)
    expect(headers.location).toBe(`/v1/shops/${owner.slug}/claims/${body.uuid}`)
    expect(body).toEqual({
      ...given,
      warnings: [{ loc: ['body', 'color'], msg: 'ignored: unknown field' }],
      kind: 'claim',
      withdrawal: null,
      damaged_product_items: [{ sku: 'OLD', title: null, quantity: 1, net_price: 9, image_urls: [] }],
      uuid: expect.any(String),
      created_at: expect.any(String),
      updated_at: body.created_at,
      deleted_at: null,
      order_id: order.uuid,
      shipment_id: shipmentId,
      shop_id: (await owner.as('viewer').get('')).body.uuid,
      order_number: order.order_number,
      shop_slug: owner.slug,
      status: 'pending',
      address: order.address,
      net_invoice_amount: 75.55,
      weight_kg: 0.85,
      tracking_number: trackingNumber,
      carrier_reference: 'dhl',
      scan_date: '2026-11-03T07:15:00.000Z',
      reply: null,
      decided_at: null,
      currency: order.currency,
      customer_name: order.address.name,
      carrier_name: 'DHL',
      pending_decision: null,
    })
    expect((await owner.as('viewer').get(`/claims/${body.uuid}`)).body).toEqual({ ...body, warnings: undefined })
  })

  it('needs only a shipment and a reason; the rest is null or empty', async () => {
    const { order, trackingNumber } = await sendParcel(shop, { weight: null })
    const { body } = await shop.post('/claims', {
      tracking_number: trackingNumber,
      reason: 'support',
      image_urls: null,
    })
    expect(body).toMatchObject({
      order_id: order.uuid,
      resolution_preference: null,
      status: 'pending',
      description: null,
      customer_signature_image_url: null,
      selected_items: [],
      damaged_product_items: [],
      image_urls: [],
      optional_image_urls: [],
      dropoff_permission: null,
      step_user_input: null,
      net_invoice_amount: 89.9,
      weight_kg: null,
      scan_date: null,
    })
  })

  it('accepts every reason, preference and status', async () => {
    const { shipmentId } = await sendParcel(shop)
    for (const reason of claimReasons) {
      expect((await shop.post('/claims', { shipment_id: shipmentId, reason })).body.reason).toBe(reason)
    }
    for (const resolution_preference of resolutionPreferences) {
      const sent = { shipment_id: shipmentId, reason: 'return', resolution_preference }
      expect((await shop.post('/claims', sent)).body.resolution_preference).toBe(resolution_preference)
    }
    for (const status of claimStatuses) {
      expect((await shop.post('/claims', { shipment_id: shipmentId, reason: 'return', status })).body.status).toBe(
        status,
      )
    }
  })

  it('is about the newest shipment with a tracking number, or about the shipment_id if both are given', async () => {
    const tracking_number = uniqueNumber('TWICE-')
    const older = await createOrder(shop, {}, [{ tracking_number }])
    clock.advance(1_000)
    const newer = await createOrder(shop, {}, [{ tracking_number }])
    const byNumber = await shop.post('/claims', { tracking_number, reason: 'damage', shipment_id: null })
    expect(byNumber.body.order_id).toBe(newer.uuid)
    const byId = await shop.post('/claims', { tracking_number, reason: 'damage', shipment_id: older.trackings[0].id })
    expect(byId.body.order_id).toBe(older.uuid)
  })

  it('may be about a draft, and outlives its shipment', async () => {
    const order = await createOrder(shop)
    const draft = await shop.post('/claims', { shipment_id: order.trackings[0].id, reason: 'investigation' })
    expect(draft.body).toMatchObject({ tracking_number: null, carrier_reference: null, scan_date: null })
    const parcel = await sendParcel(shop)
    const { body } = await shop.post('/claims', { shipment_id: parcel.shipmentId, reason: 'damage' })
    await shop.delete(`/orders/${parcel.order.uuid}/shipments/${parcel.trackingNumber}`)
    expect((await shop.get(`/claims/${body.uuid}`)).body).toMatchObject({
      shipment_id: parcel.shipmentId,
      order_number: parcel.order.order_number,
      tracking_number: null,
    })
    expect((await shop.put(`/claims/${body.uuid}`, { status: 'closed' })).status).toBe(200)
  })

  it.each([
    ['items with prices', { selected_items: [{ quantity: 2, net_price: 10.01 }, { sku: 'x' }] }, 20.02],
    ['an item without a quantity as one', { selected_items: [{ net_price: 5 }] }, 5],
    ['the deprecated items where no others are given', { damaged_product_items: [{ net_price: 7, quantity: 2 }] }, 14],
    ['the order less shipping where no item has a price', { selected_items: [{ sku: 'x', quantity: 2 }] }, 89.9],
  ])('computes the value of %s', async (_what, fields, amount) => {
    expect(await claim(shop, fields)).toMatchObject({ net_invoice_amount: amount })
  })

  it('has no value if the order has no total', async () => {
    const { shipmentId } = await sendParcel(shop, { total_order_price: null })
    const { body } = await shop.post('/claims', { shipment_id: shipmentId, reason: 'damage' })
    expect(body.net_invoice_amount).toBeNull()
  })

  it('names the fields that are wrong', async () => {
    const { body } = await shop.post('/claims', {
      shipment_id: 'x',
      resolution_preference: 'money',
      status: 'lost',
      description: 7,
      selected_items: [{ quantity: 1 }, { quantity: 'two', net_price: '3' }],
      image_urls: ['https://a.example', 4],
      dropoff_permission: 'yes',
      step_user_input: [{ user_input: { input_type: 'a' } }],
    })
    expect(places(body.errors)).toEqual([
      'body.description type_error',
      'body.dropoff_permission type_error',
      'body.image_urls.1 type_error',
      'body.reason missing',
      'body.resolution_preference value_error',
      'body.selected_items.1.net_price type_error',
      'body.selected_items.1.quantity type_error',
      'body.shipment_id value_error',
      'body.status value_error',
      'body.step_user_input.0.step_id missing',
      'body.step_user_input.0.user_input.input_value missing',
    ])
    const unnamed = await shop.post('/claims', { reason: 'damage', shipment_id: null })
    expect(unnamed.status).toBe(422)
    expect(places(unnamed.body.errors)).toEqual(['body.tracking_number missing'])
  })

  it("does not find an unknown shipment, nor another shop's", async () => {
    const { trackingNumber, shipmentId } = await sendParcel((await makeShop()).as('editor'))
    for (const name of [
      { shipment_id: nowhere },
      { tracking_number: 'none' },
      { shipment_id: shipmentId },
      { tracking_number: trackingNumber },
    ]) {
      const reply = await shop.post('/claims', { ...name, reason: 'damage' })
      expect(reply).toMatchObject({ status: 404, body: { key: 'shipment_not_found' } })
    }
  })
})

describe('searching claims', () => {
  const prepare = async () => {
    const caller = (await makeShop()).as('editor')
    const claims: Reply['body'][] = []
    for (const [index, fields] of [
      { reason: 'damage', resolution_preference: 'refund' },
      { reason: 'support' },
      { reason: 'damage', resolution_preference: 'reorder', status: 'accepted' },
      { reason: 'return', status: 'closed' },
      { reason: 'support', resolution_preference: 'refund', status: 'rejected' },
    ].entries()) {
      clock.advance(hourMs)
      claims.push({ index, ...(await claim(caller, fields)) })
    }
    clock.advance(hourMs)
    await caller.put(`/claims/${claims[1].uuid}`, { description: 'changed last' })
    clock.reset()
    const find = async (query: Record<string, string | number> = {}) => {
      const { body } = await caller.get('/claims', query)
      return body.claims.map(({ uuid }: { uuid: string }) => claims.findIndex((each) => each.uuid === uuid))
    }
    return { caller, claims, find }
  }
  let searched: Awaited<ReturnType<typeof prepare>>

  beforeAll(async () => {
    searched = await prepare()
  })

  it.each([
    ['none', undefined, [4, 3, 2, 1, 0]],
    ['-created_at', '-created_at', [4, 3, 2, 1, 0]],
    ['created_at', 'created_at', [0, 1, 2, 3, 4]],
    ['-updated_at', '-updated_at', [1, 4, 3, 2, 0]],
    ['updated_at', 'updated_at', [0, 2, 3, 4, 1]],
  ])('sorts by %s', async (_name, sort, expected) => {
    const { find } = searched
    expect(await find(sort ? { sort } : {})).toEqual(expected)
    // If several kinds are given, their index scans are merged in the same order.
    const refunds = expected.filter((index) => index === 0 || index === 4)
    expect(await find({ resolution_preference: 'refund', ...(sort ? { sort } : {}) })).toEqual(refunds)
  })

  it.each([
    [{ status: 'pending' }, [1, 0]],
    [{ status: 'closed' }, [3]],
    [{ reason: 'damage' }, [2, 0]],
    [{ reason: 'missing_product' }, []],
    [{ resolution_preference: 'refund' }, [4, 0]],
    [{ reason: 'damage', status: 'pending' }, [0]],
    [{ reason: 'support', resolution_preference: 'refund', status: 'rejected' }, [4]],
    [{ reason: 'support', sort: '-updated_at' }, [1, 4]],
    [{ status: 'pending', sort: 'created_at', per_page: 1, page: 2 }, [1]],
    [{ per_page: 2, page: 2 }, [2, 1]],
  ])('finds by %j', async (query, expected) => {
    const { find } = searched
    expect(await find(query as Record<string, string | number>)).toEqual(expected)
  })

  it('finds by order and by shipment, combined with other filters', async () => {
    const { claims, find } = searched
    expect(await find({ order_id: claims[2].order_id })).toEqual([2])
    expect(await find({ shipment_id: claims[3].shipment_id })).toEqual([3])
    expect(await find({ shipment_id: claims[3].shipment_id, order_id: claims[3].order_id, status: 'closed' })).toEqual([
      3,
    ])
    expect(await find({ order_id: claims[2].order_id, reason: 'return' })).toEqual([])
    expect(await find({ order_id: nowhere })).toEqual([])
  })

  it('finds by the times of creation and change, ends included', async () => {
    const { claims, find } = searched
    const made = claims.map(({ created_at }) => created_at as string)
    expect(await find({ created_from: made[2] ?? '' })).toEqual([4, 3, 2])
    expect(await find({ created_to: made[2] ?? '' })).toEqual([2, 1, 0])
    expect(await find({ created_from: made[1] ?? '', created_to: made[3] ?? '' })).toEqual([3, 2, 1])
    expect(await find({ updated_from: made[3] ?? '' })).toEqual([4, 3, 1])
    expect(await find({ updated_to: made[3] ?? '' })).toEqual([3, 2, 0])
    expect(await find({ updated_from: made[1] ?? '', created_to: made[2] ?? '', sort: 'updated_at' })).toEqual([2, 1])
    expect(await find({ status: 'pending', updated_from: made[3] ?? '' })).toEqual([1])
  })

  it('returns the array under its name, with links and a total', async () => {
    const { caller } = searched
    const { body, headers } = await caller.get('/claims', { per_page: 2 })
    expect(Object.keys(body)).toEqual(['claims'])
    expect(headers['x-total-count']).toBe('5')
    expect(headers.link).toContain('rel="next"')
    expect((await caller.get('/claims', { per_page: 2, page: 9, reason: 'damage' })).headers['x-total-count']).toBe('2')
  })

  it('names the filters that are wrong', async () => {
    const { caller } = searched
    const query = { status: 'lost', reason: 'x', resolution_preference: 'x', order_id: '1', shipment_id: '2' }
    const { status, body } = await caller.get('/claims', { ...query, created_from: 'today', sort: 'reason' })
    expect(status).toBe(422)
    expect(places(body.errors)).toEqual(
      [...Object.keys(query), 'created_from', 'sort'].map((name) => `query.${name} value_error`).sort(),
    )
  })

  it("shows no other shop's", async () => {
    const { claims } = searched
    const other = (await makeShop()).as('editor')
    expect((await other.get('/claims')).body).toEqual({ claims: [] })
    const unknown = { status: 404, body: { key: 'claim_not_found' } }
    expect(await other.get(`/claims/${claims[0].uuid}`)).toMatchObject(unknown)
    expect(await other.put(`/claims/${claims[0].uuid}`, { status: 'closed' })).toMatchObject(unknown)
    expect(await other.delete(`/claims/${claims[0].uuid}`)).toMatchObject(unknown)
  })
})

describe('updating a claim', () => {
  const allowed: Record<ClaimStatus, ClaimStatus[]> = {
    pending: ['pending', 'accepted', 'rejected', 'closed'],
    accepted: ['accepted', 'closed'],
    rejected: ['rejected', 'pending', 'closed'],
    closed: ['closed'],
  }
  const transitions = claimStatuses.flatMap((from) => claimStatuses.map((to) => [from, to] as const))

  it.each(transitions)('from %s to %s', async (from, to) => {
    const { uuid } = await claim(shop, { status: from })
    const reply = await shop.put(`/claims/${uuid}`, { status: to })
    if (allowed[from].includes(to)) {
      expect(reply).toMatchObject({ status: 200, body: { uuid, status: to } })
    } else {
      expect(reply).toMatchObject({
        status: 422,
        body: { key: 'invalid_payload', errors: [{ loc: ['body', 'status'] }] },
      })
      expect(reply.body.message).toContain(from)
    }
    expect((await shop.get(`/claims/${uuid}`)).body.status).toBe(reply.status === 200 ? to : from)
  })

  it('changes only the given fields; null resets any of them except the status', async () => {
    const before = await claim(shop, { resolution_preference: 'refund', description: 'torn' })
    clock.advance(hourMs)
    const changed = await shop.put(`/claims/${before.uuid}`, { resolution_preference: 'reorder' })
    expect(changed.body).toMatchObject({ resolution_preference: 'reorder', description: 'torn', status: 'pending' })
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    const cleared = await shop.put(`/claims/${before.uuid}`, {
      status: null,
      resolution_preference: null,
      description: null,
    })
    expect(cleared.body).toMatchObject({ resolution_preference: null, description: null, status: 'pending' })
  })

  it('changes nothing if nothing is new', async () => {
    const before = await claim(shop, { resolution_preference: 'refund', description: 'torn' })
    clock.advance(hourMs)
    const same = { status: 'pending', resolution_preference: 'refund', description: 'torn' }
    for (const body of [same, {}]) expect((await shop.put(`/claims/${before.uuid}`, body)).body).toEqual(before)
  })

  it('applies the second of two concurrent decisions to the result of the first', async () => {
    const { uuid } = await claim(shop)
    const replies = await Promise.all(['accepted', 'rejected'].map((status) => shop.put(`/claims/${uuid}`, { status })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('names the fields that are wrong, and does not find an unknown claim', async () => {
    const { uuid } = await claim(shop)
    const wrong = await shop.put(`/claims/${uuid}`, { status: 'lost', resolution_preference: 1, description: [] })
    expect(places(wrong.body.errors)).toEqual([
      'body.description type_error',
      'body.resolution_preference type_error',
      'body.status value_error',
    ])
    const unknown = { status: 404, body: { key: 'claim_not_found' } }
    expect(await shop.put(`/claims/${nowhere}`, { status: 'closed' })).toMatchObject(unknown)
    expect(await shop.get(`/claims/${nowhere}`)).toMatchObject(unknown)
    expect((await shop.get('/claims/x')).body.errors).toMatchObject([{ loc: ['path', 'uuid'] }])
  })
})

describe('deleting a claim', () => {
  it('hides it from then on', async () => {
    const { uuid, order_id } = await claim(shop)
    expect(await shop.delete(`/claims/${uuid}`)).toMatchObject({ status: 200, text: 'null' })
    const unknown = { status: 404, body: { key: 'claim_not_found' } }
    expect(await shop.get(`/claims/${uuid}`)).toMatchObject(unknown)
    expect(await shop.put(`/claims/${uuid}`, { description: 'x' })).toMatchObject(unknown)
    expect(await shop.delete(`/claims/${uuid}`)).toMatchObject(unknown)
    expect((await shop.get('/claims', { order_id })).body).toEqual({ claims: [] })
    const all = await shop.get('/claims', { per_page: 100 })
    expect(all.body.claims.map((each: { uuid: string }) => each.uuid)).not.toContain(uuid)
  })
})

describe('images of a claim', () => {
  const png = sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

  async function upload(caller: ShopCaller, imageType: string): Promise<string> {
    const form = multipart([{ name: 'image', content: await png, filename: 'a.png' }])
    return (await caller.post(`/images/${imageType}`, undefined, form)).body.url
  }

  const open = async (url: string) =>
    (await call('GET', url.replace('https://doorstep.example', ''), { auth: null })).status

  it('are returned with signed URLs that expire, if they are private and in our own store', async () => {
    const [evidence, signature, logo] = await Promise.all(
      ['claim', 'signature', 'logo'].map((imageType) => upload(shop, imageType)),
    )
    const elsewhere = 'https://elsewhere.example/claim.jpg?expires=1&signature=2'
    const made = await claim(shop, {
      customer_signature_image_url: signature,
      image_urls: [evidence, logo, elsewhere],
      optional_image_urls: [evidence],
      selected_items: [{ sku: 'a', image_urls: [evidence] }],
    })
    expect(await open(evidence ?? '')).toBe(404)
    expect(made.image_urls.slice(1)).toEqual([logo, elsewhere])
    const signed = [
      made.customer_signature_image_url,
      made.image_urls[0],
      made.optional_image_urls[0],
      made.selected_items[0].image_urls[0],
    ]
    for (const url of signed) {
      expect(url).toMatch(
        /^https:\/\/doorstep\.example\/v1\/images\/(claim|signature)-.+\?expires=\d+&signature=[0-9a-f]+$/,
      )
      expect(await open(url)).toBe(200)
    }
    clock.advance(dayMs)
    expect(await open(made.image_urls[0])).toBe(404)
    const again = (await shop.get(`/claims/${made.uuid}`)).body
    expect(await open(again.image_urls[0])).toBe(200)
    // A signed URL that is sent back refers to the image; its signature is not stored.
    const copied = await claim(shop, { image_urls: [made.image_urls[0]] })
    expect(await open(copied.image_urls[0])).toBe(200)
  })

  it('of another shop are never signed, even if their URL is known', async () => {
    const theirs = await upload((await makeShop()).as('editor'), 'claim')
    expect((await claim(shop, { image_urls: [theirs] })).image_urls).toEqual([theirs])
  })
})
