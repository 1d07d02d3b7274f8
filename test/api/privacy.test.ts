import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { hourMs } from '../../src/platform/foundation/clock.ts'
import { startImageStore } from '../conformance/s3-server.ts'
import {
  fieldsOf,
  fillIn,
  makePerson,
  type Person,
  placesOf,
  sendShopifyOrder,
  shopIdOf,
} from '../harness/customers.ts'
import { settle } from '../harness/deliveries.ts'
import { makeMailShop } from '../harness/mail-shop.ts'
import { multipart } from '../harness/multipart.ts'
import { createOrder, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { call, clock, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

// A store of its own: looking into every row of every table takes long in one with the shops of all other tests.
const service = await startTestService({}, await openTestDatabase())
afterAll(() => service.stop())
afterEach(() => clock.reset())

const wordsOf = (person: Person) => Object.values(person)
const erase = (shop: TestShop, email: string) => shop.as('admin').post('/privacy/erase', { email })
const exportOf = async (shop: TestShop, email: string, after?: string) =>
  (await shop.as('admin').post('/privacy/export', { email, after })).body

async function open() {
  const shop = await makeShop({}, service)
  const person = makePerson()
  const filled = await fillIn(service, shop, person)
  onTestFinished(() => filled.close())
  return { shop, person, ...filled }
}

async function readAll(shop: TestShop, email: string) {
  const viewer = shop.as('viewer')
  const orders = (await viewer.get('/orders', { email_id: email })).body
  const claims = (await viewer.get('/claims')).body.claims
  return JSON.stringify({ orders, claims })
}

describe('erasing a customer', () => {
  it('removes their data from every table', async () => {
    const { shop, person } = await open()
    const before = await placesOf(service, ...wordsOf(person))
    // Every column that can contain personal data does: without this, the search below would prove nothing.
    expect(before).toEqual(
      expect.arrayContaining([
        'orders.email_id',
        'orders.zip_code',
        'orders.details',
        'orders.order_analytics',
        'shipments.pickup',
        'shipments.tracking_url',
        'shipment_events.additional_info',
        'shipment_events.location',
        'claims.description',
        'claims.details',
        'notifications.body',
        'deliveries.attempt_log',
        'shop_system_orders.fulfilments',
        'import_problems.value',
        'notes.text',
        'imports.filename',
        'imports.ignored_columns',
        'unmapped_codes.text',
        'provider_accounts.last_failure_detail',
        'idempotent_requests.body',
      ]),
    )
    const { status, body } = await erase(shop, person.email.toUpperCase())
    expect(status).toBe(200)
    expect(body).toMatchObject({ orders: 2, claims: 2, images: 3, campaign_views: 2, ab_test_assignments: 1 })
    expect(body).toMatchObject({ notes: 1, saved_views: 1 })
    expect(body).toMatchObject({ shop_system_orders: 1, import_problems: 1, stored_answers: 1, unfinished_imports: 0 })
    for (const name of ['shipments', 'events', 'notifications', 'deliveries_cancelled', 'automation_runs_cancelled']) {
      expect(body[name], name).toBeGreaterThan(0)
    }
    expect(await placesOf(service, ...wordsOf(person))).toEqual([])
    const shopId = await shopIdOf(service, shop)
    const left = async (table: 'segment_fetches' | 'campaign_views' | 'ab_test_assignments' | 'images') => {
      const { rows } = await sql`select 1 from ${sql.table(table)} where shop_id = ${shopId}`.execute(
        service.database.db,
      )
      return rows.length
    }
    expect(await left('segment_fetches')).toBe(0)
    expect(await left('campaign_views')).toBe(0)
    expect(await left('ab_test_assignments')).toBe(0)
    expect(await left('images')).toBe(0)
  })

  it('preserves what analytics need of the orders and their events', async () => {
    const { shop, person, orderId, claimIds, trackingNumber } = await open()
    const viewer = shop.as('viewer')
    const before = (await viewer.get(`/orders/${orderId}`)).body
    await erase(shop, person.email)
    const after = (await viewer.get(`/orders/${orderId}`)).body
    const kept = [
      'order_number',
      'order_name',
      'external_id',
      'status',
      'order_placed_at',
      'total_order_price',
    ] as const
    const prices = ['shipping_price', 'sub_total_price', 'discount_price', 'discounts', 'currency', 'weight'] as const
    for (const name of [...kept, ...prices, 'created_at'] as const) expect(after[name], name).toEqual(before[name])
    expect(after).toMatchObject({
      email_id: null,
      address: { country_code: 'DE' },
      segments: [],
      external_customer_id: null,
      order_status_url: null,
      user_agent: null,
      order_analytics: { source: 'trackpages', campaign: 'autumn' },
      products: [{ title: 'Mug for [erased]', price: 89.9, product_id: 'p1' }],
    })
    expect(Object.keys(after.address)).toEqual(['country_code'])
    const [tracking] = after.trackings
    expect(tracking).toMatchObject({
      phase: 'delivered',
      carrier: { tracking_number: trackingNumber, tracking_url: null },
      pickup: { type: 'neighbor', name: null, address: null },
    })
    expect(tracking.events).toHaveLength(before.trackings[0].events.length)
    expect(tracking.events.at(-1)).toMatchObject({ location: { country_code: 'DE' }, additional_info: {} })
    expect((await viewer.get(`/claims/${claimIds[0]}`)).body).toMatchObject({
      reason: 'damage',
      status: 'pending',
      description: null,
      image_urls: [],
      customer_signature_image_url: null,
      step_user_input: null,
      selected_items: [{ title: 'Mug', quantity: 1, image_urls: [] }],
      address: { country_code: 'DE' },
    })
    expect((await viewer.get('/orders', { email_id: person.email })).body).toEqual([])
  })

  it('deletes photos and signatures, and disables the tracking page', async () => {
    const { shop, person, imageUrls, pagePath } = await open()
    const keys = imageUrls.map((url) => url.split('/').at(-1) ?? '')
    const { imageStore } = service.context().services
    for (const key of keys) expect(await imageStore.get(key)).toBeDefined()
    expect((await call('GET', pagePath, { auth: null }, service)).status).toBe(200)
    await erase(shop, person.email)
    for (const key of keys) {
      expect(await imageStore.get(key)).toBeUndefined()
      expect((await call('GET', `/v1/images/${key}`, {}, service)).status).toBe(404)
    }
    expect((await call('GET', pagePath, { auth: null }, service)).status).toBe(404)
    expect((await call('GET', `${pagePath}/claim`, { auth: null }, service)).status).toBe(404)
  })

  it('sends integrations nothing more, and webhooks the redacted events, in order', async () => {
    const { shop, person, failing, braze, trackingNumber } = await open()
    await erase(shop, person.email)
    const sentBefore = { webhooks: failing.received.length, braze: braze.received.length }
    failing.respond = () => ({ status: 200 })
    braze.respond = () => ({ status: 201, body: '{"message":"success"}' })
    // Late enough for failed deliveries to be retried.
    for (let round = 0; round < 8; round += 1) {
      clock.advance(hourMs)
      await settle(service)
    }
    const late = failing.received.slice(sentBefore.webhooks)
    expect(late.length).toBeGreaterThan(0)
    for (const { text, body } of late) {
      for (const word of wordsOf(person)) expect(text.toLowerCase()).not.toContain(word.toLowerCase())
      expect(body).toMatchObject({ version: 1, erased: true, context: { customer: { email: null, full_name: null } } })
    }
    const ofParcel = late
      .filter(({ body }) => body.event_data.tracking_number === trackingNumber)
      .map(({ body }) => body.triggered_at)
    expect(ofParcel).toEqual([...ofParcel].sort())
    expect(braze.received).toHaveLength(sentBefore.braze)
    const runs = await sql`
      select 1 from automation_runs where shop_id = ${await shopIdOf(service, shop)} and status = 'pending'`.execute(
      service.database.db,
    )
    expect(runs.rows).toEqual([])
  })

  it('sends the customer no e-mail that was waiting', async () => {
    const { made, server } = await makeMailShop(service)
    onTestFinished(() => server.close())
    server.reject = () => ({ code: 451, message: 'try again later' })
    const person = makePerson()
    const admin = made.as('admin')
    const { uuid: orderId } = await createOrder(admin, fieldsOf(person), [{ tracking_number: uniqueNumber('PE') }])
    await settle(service)
    const mails = async () => (await admin.get('/deliveries', { integration: 'smtp' })).body
    const waiting = await mails()
    expect(waiting.length).toBeGreaterThan(0)
    expect(waiting.filter(({ status }: { status: string }) => status !== 'pending')).toEqual([])
    const { body } = await erase(made, person.email)
    expect(body.deliveries_cancelled).toBe(waiting.length)
    server.reject = () => undefined
    for (let round = 0; round < 4; round += 1) {
      clock.advance(hourMs)
      await settle(service)
    }
    expect(server.mails).toEqual([])
    expect(await mails()).toMatchObject(waiting.map(({ uuid }: { uuid: string }) => ({ uuid, status: 'skipped' })))
    const remembered = await sql`select 1 from mail_messages where order_id = ${orderId}`.execute(service.database.db)
    expect(remembered.rows).toEqual([])
  })

  it('leaves the log of what integrations were sent before as it was', async () => {
    const { shop, person } = await open()
    const statuses = async () => {
      const { body } = await shop.as('admin').get('/deliveries', { integration: 'braze', per_page: 100 })
      return body.map(({ uuid, status }: { uuid: string; status: string }) => [uuid, status])
    }
    const [first, ...others] = await statuses()
    expect(others.length).toBeGreaterThan(0)
    const { db } = service.database
    const finished_at = clock.now()
    await db.updateTable('deliveries').set({ status: 'delivered', finished_at }).where('id', '=', first[0]).execute()
    await erase(shop, person.email)
    expect(await statuses()).toEqual([[first[0], 'delivered'], ...others.map(([id]: string[]) => [id, 'skipped'])])
    const row = await db
      .selectFrom('deliveries')
      .where('id', '=', first[0])
      .select('finished_at')
      .executeTakeFirstOrThrow()
    expect(row.finished_at).toEqual(finished_at)
  })

  it('does not store the response of a receiver to a delivery in flight', async () => {
    const shop = await makeShop({}, service)
    const person = makePerson()
    const receiver = await startSlowReceiver()
    onTestFinished(() => receiver.close())
    await shop.as('admin').post('/webhooks', { url: receiver.url })
    await createOrder(shop.as('editor'), fieldsOf(person))
    await receiver.isCalled
    await erase(shop, person.email)
    receiver.respond(500, person.email)
    await settle(service)
    expect(await placesOf(service, person.email)).toEqual([])
    clock.advance(hourMs)
    await settle(service)
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[0]).toContain(person.email)
    expect(JSON.parse(receiver.received[1] ?? '')).toMatchObject({
      erased: true,
      context: { customer: { email: null } },
    })
  })

  it('affects no other customer of the shop, and not the same customer in another shop', async () => {
    const { shop, person } = await open()
    const stranger = { ...makePerson(), email: `x${person.email}` }
    await createOrder(shop.as('editor'), fieldsOf(stranger, { external_customer_id: null }), [
      { tracking_number: uniqueNumber('PR') },
    ])
    const other = await makeShop({}, service)
    await createOrder(other.as('editor'), fieldsOf(person))
    const [here, there] = [await readAll(shop, stranger.email), await readAll(other, person.email)]
    await erase(shop, person.email)
    expect((await shop.as('viewer').get('/orders', { email_id: stranger.email })).body).toEqual(JSON.parse(here).orders)
    expect(await readAll(other, person.email)).toBe(there)
    const unerased = await placesOf(service, stranger.email)
    expect(unerased).toEqual(expect.arrayContaining(['orders.email_id', 'notifications.body']))
  })

  it('keeps what campaigns and tests of another shop know of the same customer', async () => {
    const { shop, person } = await open()
    const other = await makeShop({}, service)
    const filled = await fillIn(service, other, person)
    onTestFinished(() => filled.close())
    const otherId = await shopIdOf(service, other)
    const rows = async () => {
      const { rows } = await sql`
        select 'view' as kind, order_id::text as id, action from campaign_views where shop_id = ${otherId}
        union all
        select 'assignment', test_id::text, null from ab_test_assignments where shop_id = ${otherId}
        order by 1, 2, 3`.execute(service.database.db)
      return rows
    }
    const before = await rows()
    expect(before).toHaveLength(3)
    expect((await erase(shop, person.email)).body).toMatchObject({ campaign_views: 2, ab_test_assignments: 1 })
    expect(await rows()).toEqual(before)
  })

  it('empties stored responses about their orders, even those that do not name them', async () => {
    const { shop, person } = await open()
    const email = makePerson().email
    const order = await createOrder(shop.as('editor'), { email_id: email })
    const add = () =>
      shop
        .as('editor')
        .post('/notes', { order_id: order.uuid, text: 'Has moved' }, { headers: { 'idempotency-key': email } })
    const { body } = await add()
    expect(JSON.stringify(body)).not.toContain(email)
    await erase(shop, person.email)
    expect((await add()).body).toEqual(body)
    expect((await erase(shop, email)).body).toMatchObject({ orders: 1, stored_answers: 1 })
  })

  it('returns zeros for an unknown customer, and when there is nothing left to erase', async () => {
    const { shop, person } = await open()
    const zeros = (body: Record<string, unknown>) => {
      const counts = Object.values(body).filter((value) => typeof value === 'number')
      return counts.every((count) => count === 0)
    }
    expect(zeros((await erase(shop, 'nobody@customer.example')).body)).toBe(true)
    for (const email of ['a', '%', '.*', '(', "'"]) expect(zeros((await erase(shop, email)).body), email).toBe(true)
    expect((await erase(shop, person.email)).body.orders).toBe(2)
    expect(zeros((await erase(shop, person.email)).body)).toBe(true)
  })

  it('counts before what it would erase, and changes nothing by that', async () => {
    const { shop, person } = await open()
    const preview = async () => (await shop.as('admin').post('/privacy/erase/preview', { email: person.email })).body
    const counted = await preview()
    expect(counted).toMatchObject({ is_complete: true, orders: 2, claims: 2, unfinished_imports: 0 })
    expect(new Date(counted.first_order_at) <= new Date(counted.last_order_at)).toBe(true)
    expect(await preview()).toEqual(counted)
    const erased = (await erase(shop, person.email)).body
    for (const name of ['orders', 'shipments', 'claims', 'notifications'])
      expect(erased[name], name).toBe(counted[name])
    expect(await preview()).toMatchObject({ orders: 0, shipments: 0, events: 0, first_order_at: null })
  })

  it('returns a receipt that the audit log has too, and neither names the customer', async () => {
    const { shop, person } = await open()
    const exported = await exportOf(shop, person.email.toUpperCase())
    const { body } = await erase(shop, person.email)
    const { username } = await shop.credentials('admin')
    expect(body).toMatchObject({
      receipt_id: expect.any(String),
      shop_slug: shop.slug,
      erased_by: username,
      customer_hash: exported.customer_hash,
    })
    const { body: entries } = await shop.as('admin').get('/audit-log', { subject_kind: 'customer' })
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['eraseCustomerData', 'exportCustomerData'])
    expect(entries[0]).toMatchObject({
      subject: { id: body.customer_hash, name: null },
      changes: { orders: { after: 2 }, receipt_id: { after: body.receipt_id } },
    })
    for (const word of wordsOf(person)) expect(JSON.stringify([body, entries])).not.toContain(word)
  })

  it('removes from the audit log what somebody typed about the customer', async () => {
    const { shop, person } = await open()
    const admin = shop.as('admin')
    await admin.post('/announcements', { text: `Thank you, ${person.name}`, language: 'en' })
    await admin.post('/announcements', { text: 'Thank you all', language: 'en' })
    await erase(shop, person.email)
    const { body } = await admin.get('/audit-log', { subject_kind: 'announcement' })
    expect(body.map(({ changes }: { changes: { text: unknown } }) => changes.text)).toEqual([
      { before: null, after: 'Thank you all' },
      { before: null, after: 'Thank you, [erased]' },
    ])
  })

  it('is permanent: data that is sent again is not imported', async () => {
    const { shop, person, orderId, trackingNumber } = await open()
    const editor = shop.as('editor')
    const { order_number } = (await editor.get(`/orders/${orderId}`)).body
    await erase(shop, person.email)
    const products = [{ title: 'Mug', quantity: 1 }]
    const trackings = [{ tracking_number: trackingNumber, tracking_url: `https://carrier.example/?zip=${person.zip}` }]
    const again = {
      ...upsertOf(order_number, fieldsOf(person, { total_order_price: 12.5, products }), trackings),
      order_analytics: { referrer: person.email },
    }
    expect((await editor.put('/orders', again)).status).toBe(200)
    const changed = (await editor.get(`/orders/${orderId}`)).body
    expect((await editor.put('/orders', again)).status).toBe(200)
    expect((await editor.get(`/orders/${orderId}`)).body).toEqual(changed)
    await editor.patch(`/orders/${orderId}`, { address: { name: person.name, zip_code: person.zip } })
    await editor.put('/orders/analytics', { id: order_number, landing_url: `https://shop.example/${person.email}` })
    await sendShopifyOrder(shop, person, { updated_at: '2026-11-09T10:30:02+01:00', total_price: '99.00' })
    expect(await placesOf(service, ...wordsOf(person))).toEqual([])
    const { body } = await editor.get(`/orders/${orderId}`)
    expect(body).toMatchObject({ email_id: null, total_order_price: 12.5, address: { country_code: 'DE' } })
  })

  it('continues an interrupted erasure with the next call', async () => {
    const { s3, settings } = await startImageStore()
    const own = await startTestService({ ROLE: 'api', ...settings }, { ...service.database, close: async () => {} })
    onTestFinished(async () => {
      await own.stop()
      await s3.close()
    })
    const shop = await makeShop({}, own)
    const person = makePerson()
    const editor = shop.as('editor')
    const trackingNumber = uniqueNumber('PR')
    const placed = (day: number) => ({ order_placed_at: new Date(Date.UTC(2026, 9, day)).toISOString() })
    await createOrder(editor, fieldsOf(person, placed(1)), [{ tracking_number: trackingNumber }])
    for (let day = 2; day <= 25; day += 1) await createOrder(editor, fieldsOf(person, placed(day)))
    await fileClaim(editor, trackingNumber)
    expect(s3.objects.size).toBe(1)
    // More failures than retries: the oldest order, in the second batch, cannot be finished.
    s3.failures.push(...Array.from({ length: 20 }, () => 503))
    const first = await erase(shop, person.email)
    expect(first).toMatchObject({ status: 502, body: { key: 'bad_gateway' } })
    const left = async () => (await editor.get('/orders', { email_id: person.email, per_page: 100 })).body.length
    expect(await left()).toBe(5)
    s3.failures.length = 0
    expect((await erase(shop, person.email)).body).toMatchObject({ orders: 5, claims: 1, images: 1 })
    expect(s3.objects.size).toBe(0)
    expect(await left()).toBe(0)
    expect(await placesOf(own, ...wordsOf(person))).toEqual([])
  })
})

/** A receiver that responds to the first request when the test lets it, and to all others at once. */
async function startSlowReceiver() {
  const received: string[] = []
  let first: ServerResponse | undefined
  let notifyCalled: (() => void) | undefined
  const isCalled = new Promise<void>((resolve) => {
    notifyCalled = resolve
  })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString('utf8'))
      if (first !== undefined) return response.end()
      first = response
      return notifyCalled?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    isCalled,
    respond: (status: number, body: string) => first?.writeHead(status).end(body),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function fileClaim(editor: ShopCaller, tracking_number: string): Promise<void> {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const form = multipart([{ name: 'image', content: png, filename: 'photo.png', contentType: 'image/png' }])
  const { body } = await editor.post('/images/claim', undefined, form)
  await editor.post('/claims', { tracking_number, reason: 'damage', image_urls: [body.url] })
}

describe('exporting a customer', () => {
  it('shows everything the shop stores about them', async () => {
    const { shop, person, orderId, shopifyOrderId, claimIds } = await open()
    const data = await exportOf(shop, person.email.toLowerCase())
    expect(data).toMatchObject({ shop_slug: shop.slug, is_complete: true, continue_after: null })
    const ids = data.orders.map(({ order }: { order: { uuid: string } }) => order.uuid)
    expect(ids.sort()).toEqual([orderId, shopifyOrderId].sort())
    const own = data.orders.find(({ order }: { order: { uuid: string } }) => order.uuid === orderId)
    expect(own.order).toMatchObject({
      email_id: person.email,
      address: { name: person.name, phone: person.phone },
      order_analytics: { note_attributes: [{ value: person.name }] },
      trackings: [{ pickup: { name: person.neighbour }, events: expect.any(Array) }],
    })
    expect(own.order.trackings[0].events.at(-1).additional_info).toEqual({ signed_by: person.name })
    expect(own.claims.map(({ uuid }: { uuid: string }) => uuid)).toEqual(claimIds)
    expect(own.claims[1].deleted_at).toEqual(expect.any(String))
    expect(own.claims[0].image_urls[0]).toMatch(/\/v1\/images\/claim-.+\?expires=\d+&signature=/)
    const deliveries = own.notifications.flatMap(({ deliveries }: { deliveries: unknown[] }) => deliveries)
    expect(JSON.stringify(deliveries)).toContain(person.email)
    expect(own.notifications[0].payload.context.customer.email).toBe(person.email)
    expect(own.notifications[0].automation_runs).toMatchObject([{ automation_name: 'Much later', status: 'pending' }])
    // Including drafts that were deleted.
    const notified = own.notifications
      .filter(({ ref }: { ref: string }) => ref.startsWith('shipments/'))
      .map(({ payload }: { payload: { event_data: { shipment_id: string } } }) => payload.event_data.shipment_id)
    expect(new Set(notified).size).toBe(3)
    expect(own.notes).toMatchObject([{ text: `${person.name} is away` }])
    expect(own.campaign_views.map(({ action }: { action: string }) => action).sort()).toEqual(['click', 'exposure'])
    expect(data.ab_tests).toHaveLength(1)
    const shopify = data.orders.find(({ order }: { order: { uuid: string } }) => order.uuid === shopifyOrderId)
    expect(shopify.shop_systems).toMatchObject([{ system: 'shopify' }])
    expect(JSON.stringify(shopify.shop_systems)).toContain(person.zip)
    expect(data.import_problems).toMatchObject([{ value: person.email }])
  })

  it('shows nothing about other customers, other shops, or an e-mail address that only ends the same', async () => {
    const { shop, person } = await open()
    const stranger = makePerson()
    await createOrder(shop.as('editor'), fieldsOf(stranger))
    const data = await exportOf(shop, person.email)
    for (const word of wordsOf(stranger)) expect(JSON.stringify(data)).not.toContain(word)
    const tail = person.email.slice(1)
    expect(await exportOf(shop, tail)).toMatchObject({ orders: [], ab_tests: [], import_problems: [] })
    expect(await exportOf(await makeShop({}, service), person.email)).toMatchObject({
      orders: [],
      ab_tests: [],
      import_problems: [],
    })
  })

  it('returns a cursor if the response is truncated, and continues there', async () => {
    const shop = await makeShop({}, service)
    const shopId = await shopIdOf(service, shop)
    await sql`
      insert into orders (shop_id, id, order_number, external_id, email_id, order_placed_at,
        expected_number_of_shipments, details, created_at, updated_at)
      select ${shopId}, gen_random_uuid(), n::text, n::text, 'Many@Customer.Example', date_trunc('milliseconds', now()) - n / 2 * interval '1 hour', 1,
        '{}', now(), now()
      from generate_series(1, 1005) as n`.execute(service.database.db)
    const first = await exportOf(shop, 'many@customer.example')
    expect(first.orders).toHaveLength(1_000)
    expect(first).toMatchObject({ is_complete: false, continue_after: first.orders.at(-1).order.uuid })
    const rest = await exportOf(shop, 'many@customer.example', first.continue_after)
    expect(rest).toMatchObject({ is_complete: true, continue_after: null })
    const numbers = [...first.orders, ...rest.orders].map(({ order }) => order.order_number)
    expect(new Set(numbers).size).toBe(1_005)
    expect(numbers).toHaveLength(1_005)
    const wrong = await shop.as('admin').post('/privacy/export', { email: 'x@y.example', after: first.continue_after })
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'after'] }] } })
  })
})
