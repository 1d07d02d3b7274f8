import { sql } from 'kysely'
import sharp from 'sharp'
import { recordAndPublish } from '../../src/orders/events/record.ts'
import { openResponse } from '../../src/platform/store/idempotency.ts'
import type { Service } from '../../src/service.ts'
import { createTest } from './campaigns.ts'
import { settle } from './deliveries.ts'
import { importFile } from './imports.ts'
import { multipart } from './multipart.ts'
import { createOrder, uniqueNumber } from './orders.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { call } from './service.ts'
import type { TestShop } from './shop.ts'
import { payload, senderOf } from './shop-systems.ts'

/** A person whose data occurs nowhere else. */
export interface Person {
  email: string
  name: string
  phone: string
  street: string
  zip: string
  company: string
  customerId: string
  neighbour: string
}

export function makePerson(): Person {
  const n = uniqueNumber()
  return {
    email: `Greta.${n}@Customer.Example`,
    name: `Greta (M.) Morgenstern${n}`,
    phone: `+49 171 ${n}`,
    street: `Sackgasse ${n}`,
    zip: `Z-${n}`,
    company: `Firma Morgen${n}`,
    customerId: `kunde-${n}`,
    neighbour: `Nachbar Abend${n}`,
  }
}

/** An order of a person, with personal data in every field that can contain it. */
export function fieldsOf(person: Person, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const { email, name, phone, street, zip, company, customerId } = person
  return {
    order_placed_at: undefined,
    email_id: email,
    address: { name, phone, street, company, zip_code: zip, city: 'Berlin', country_code: 'DE' },
    external_customer_id: customerId,
    order_status_url: `https://shop.example/orders?email=${email}`,
    user_agent: `Browser of ${name}`,
    products: [
      { title: `Mug for ${name.toUpperCase()}`, quantity: 1, price: 89.9, product_id: 'p1', variant_id: 'v1' },
    ],
    order_analytics: {
      source: 'trackpages',
      campaign: 'autumn',
      landing_url: `https://shop.example/?email=${email}`,
      note_attributes: [{ name: 'For', value: name }],
    },
    ...fields,
  }
}

export interface Filled {
  orderId: string
  shopifyOrderId: string
  shipmentId: string
  trackingNumber: string
  pagePath: string
  imageUrls: string[]
  claimIds: string[]
  /** Endpoints that echo the request, the second with an error. */
  well: Receiver
  failing: Receiver
  braze: Receiver
  close(): Promise<void>
}

/** Puts a customer's data into every column that can contain it. */
export async function fillIn(service: Service, made: TestShop, person: Person): Promise<Filled> {
  const shop = made.as('admin')
  const [well, failing, braze] = [await startReceiver(), await startReceiver(), await startReceiver()]
  well.respond = ({ text }) => ({ status: 200, body: text.slice(-500) + person.email })
  failing.respond = ({ text }) => ({ status: 500, body: text.slice(-500) + person.email })
  braze.respond = () => ({ status: 503, body: person.email })
  await shop.post('/webhooks', { url: well.url })
  await shop.post('/webhooks', { url: failing.url })
  await shop.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
  await shop.patch('/settings/triggers/braze', { status: true, rest_endpoint: braze.url })
  const later = { trigger: { events: ['*'] }, delay_minutes: 600, actions: [{ type: 'add_segment', segment: 'late' }] }
  await shop.post('/automations', { name: 'Much later', ...later })
  const test = await createTest(shop, [100])

  const trackingNumber = uniqueNumber('PR')
  const order = await createOrder(shop, fieldsOf(person, { expected_number_of_shipments: 3 }), [
    { tracking_number: trackingNumber, tracking_url: `https://carrier.example/?zip=${person.zip}` },
  ])
  // Notifications about deleted drafts stay.
  await shop.patch(`/orders/${order.uuid}`, { expected_number_of_shipments: 1 })
  const shopId = await shopIdOf(service, made)
  const shipmentId: string = order.trackings[0].uuid
  await scan(service, shopId, shipmentId, person)

  const page = (await shop.post('/orders/trackpage-url', { id: order.order_number })).body.url
  const campaign_id = test.campaigns[0].campaign_id
  for (const what of ['exposures', 'clicks']) {
    const token = page.split('/').at(-1)
    await call('POST', `/v1/public/${token}/${what}`, { auth: null, body: { campaign_id } }, service)
  }
  const imageUrls = [await upload(made, 'claim'), await upload(made, 'claim'), await upload(made, 'signature')]
  const claimIds = await fileClaims(made, person, shipmentId, imageUrls)
  const shopifyOrderId = await sendShopifyOrder(made, person)
  await importProblems(made, person)
  await shop.post('/notes', { order_id: order.uuid, shipment_id: shipmentId, text: `${person.name} is away` })
  await shop.put('/views/Customer', { screen: 'orders', query: `?q=${encodeURIComponent(person.email)}` })
  await quoteElsewhere(service, shopId, order.uuid, person)
  await settle(service)
  return {
    orderId: order.uuid,
    shopifyOrderId,
    shipmentId,
    trackingNumber,
    pagePath: new URL(page).pathname,
    imageUrls,
    claimIds,
    well,
    failing,
    braze,
    async close() {
      for (const receiver of [well, failing, braze]) await receiver.close()
    },
  }
}

export async function shopIdOf(service: Service, { slug }: TestShop): Promise<string> {
  const row = await service.database.db
    .selectFrom('shops')
    .where('slug', '=', slug)
    .select('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A carrier's scan with details that our own events do not have: a place, remarks, and who received the parcel. */
async function scan(service: Service, shopId: string, shipmentId: string, person: Person): Promise<void> {
  const context = service.context()
  await recordAndPublish(context, [
    {
      shopId,
      shipmentId,
      trackingNumber: null,
      eventKey: 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR',
      phase: 'delivered',
      flag: 'normal',
      movesPhase: true,
      isAllowedForDrafts: false,
      eventTime: context.now,
      externalId: null,
      timezone: null,
      location: { street: person.street, city: 'Berlin', country_code: 'DE' },
      additionalInfo: { signed_by: person.name },
      source: 'test',
      isNotified: true,
      pickup: {
        type: 'neighbor',
        name: person.neighbour,
        address: { street: person.street },
        url: null,
        opening_hours: null,
        date_to: null,
      },
      now: context.now,
    },
  ])
}

async function upload(shop: TestShop, imageType: string): Promise<string> {
  const content = await sharp({ create: { width: 8, height: 6, channels: 3, background: { r: 9, g: 60, b: 20 } } })
    .png()
    .toBuffer()
  const form = multipart([
    { name: 'image_type', content: imageType },
    { name: 'image', content, filename: 'photo.png', contentType: 'image/png' },
  ])
  return (await shop.as('editor').post('/images', undefined, form)).body.url
}

/** A claim with all fields, whose response is stored for its idempotency key, and a deleted claim. */
async function fileClaims(made: TestShop, person: Person, shipment_id: string, imageUrls: string[]): Promise<string[]> {
  const shop = made.as('editor')
  const [photo, other, signature] = imageUrls
  const said = `I am ${person.name}, call me at ${person.phone}`
  const claim = {
    shipment_id,
    reason: 'damage',
    description: said,
    image_urls: [photo],
    selected_items: [{ title: 'Mug', quantity: 1, image_urls: [other] }],
    customer_signature_image_url: signature,
    step_user_input: [{ step_id: 'packaging', user_input: { input_type: 'text', input_value: said } }],
  }
  const first = await shop.post('/claims', claim, { headers: { 'idempotency-key': uniqueNumber('claim') } })
  await shop.put(`/claims/${first.body.uuid}`, { reply: said })
  await shop.post('/claims/decisions', { claims: [first.body.uuid], status: 'accepted', reply: said })
  const second = await shop.post('/claims', { shipment_id, reason: 'support', description: said })
  await shop.delete(`/claims/${second.body.uuid}`)
  return [first.body.uuid, second.body.uuid]
}

/** An order from Shopify, sent to an address with the zip code. */
export async function sendShopifyOrder(made: TestShop, person: Person, fields: Record<string, unknown> = {}) {
  const { name, phone, street, zip } = person
  const address = { ...payload('shopify-order').shipping_address, name, phone, zip, address1: street, address2: null }
  const [first_name = '', last_name = ''] = name.split(' ')
  const fulfillment = payload('shopify-fulfillment', {
    tracking_urls: [`https://carrier.example/?zip=${zip}`],
    tracking_url: `https://carrier.example/?zip=${zip}`,
  })
  const order = payload('shopify-order', {
    email: person.email,
    contact_email: person.email,
    shipping_address: address,
    billing_address: address,
    customer: { id: 7, email: person.email, first_name, last_name },
    note_attributes: [{ name: 'For', value: name }],
    fulfillments: [fulfillment],
    ...fields,
  })
  const { status, text } = await (await senderOf(made, 'shopify')).send('orders/updated', order)
  if (status !== 200) throw new Error(text)
  const { body } = await made.as('viewer').get('/orders', { external_id: String(order.id) })
  return body[0].uuid as string
}

/** A file whose name, columns and values name the customer, and whose order cannot be imported. */
async function importProblems(made: TestShop, { email, name }: Person): Promise<void> {
  const number = uniqueNumber()
  const csv = `order_number,email,zip_code,Notes about ${name}\n${number},first@example.com,10115,\n${number},${email},10115,\n`
  const { problem_count } = await importFile(
    made.as('editor'),
    csv,
    { filename: `orders of ${name}.csv` },
    made.service,
  )
  if (problem_count === 0) throw new Error('the import has no problem')
}

/** Rows that exist only briefly, or that need another company's server. */
async function quoteElsewhere(service: Service, shopId: string, orderId: string, person: Person): Promise<void> {
  const { db } = service.database
  const now = service.context().now
  await sql`
    insert into unmapped_codes (shop_id, provider, code, text, scans, last_seen_at)
    values (${shopId}, 'dhl', 'X', ${`Handed to ${person.name}`}, 1, ${now})`.execute(db)
  await sql`
    insert into provider_accounts (shop_id, provider, next_free_at, last_failure_detail)
    values (${shopId}, 'dhl', ${now}, ${`no parcel for ${person.phone}`})`.execute(db)
  await sql`
    insert into segment_fetches (shop_id, order_id, integration, due_at)
    values (${shopId}, ${orderId}, 'brevo', ${new Date(now.getTime() + 86_400_000)})`.execute(db)
}

/** The places in the database that contain any of the words, as `table.column`. Encrypted responses are decrypted. */
export async function placesOf(service: Service, ...words: string[]): Promise<string[]> {
  const { db } = service.database
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select columns.table_name as table, columns.column_name as column, data_type as type
    from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')
    order by 1, 2`.execute(db)
  const { rows } = await sql<{ place: string }>`${sql.join(
    columns.map(({ table, column, type }) => {
      const inText = sql`position(lower(word) in lower(${sql.ref(column)}::text)) > 0`
      const inBytes = sql`position(convert_to(word, 'UTF8') in ${sql.ref(column)}) > 0`
      return sql`select ${`${table}.${column}`}::text as place
        where exists (
          select 1 from ${sql.table(table)}, unnest(${words}::text[]) as word
          where ${type === 'bytea' ? inBytes : inText}
        )`
    }),
    sql` union all `,
  )}`.execute(db)
  const responses = await db.selectFrom('idempotent_requests').where('body', '<>', '').select('body').execute()
  const isAnswered = responses.some(({ body }) => {
    const text = openResponse(service.context(), body).toLowerCase()
    return words.some((word) => text.includes(word.toLowerCase()))
  })
  return [...rows.map(({ place }) => place), ...(isAnswered ? ['idempotent_requests.body'] : [])]
}
