import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { recipientState, recordRejection } from '../../src/messages/recipients/state.ts'
import { readReturnPath, returnPathOf } from '../../src/messages/recipients/verp.ts'
import { dayMs, hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { queueMail } from '../harness/mail-deliveries.ts'
import { createOrder } from '../harness/orders.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

afterEach(() => clock.reset())

let addresses = 0

async function start() {
  const made = await makeShop()
  const service = await theService()
  const { id: shopId } = await service.database.db
    .selectFrom('shops')
    .where('slug', '=', made.slug)
    .select('id')
    .executeTakeFirstOrThrow()
  const { body: hooks } = await made.as('admin').get('/mail/hooks')
  addresses += 1
  const address = `mary-${addresses}@example.org`
  return {
    made,
    service,
    shopId,
    address,
    secret: hooks.secret as string,
    state: (of = address) => recipientState(service.context(), shopId, of),
    list: async () => (await made.as('viewer').get('/mail/suppressions')).body,
    /** As Postmark calls the address: the credentials in it become a header. */
    postmark: (body: unknown, password = hooks.secret as string) =>
      call('POST', `/v1/inbound/${made.slug}/mail/postmark`, {
        auth: null,
        body,
        headers: { authorization: `Basic ${Buffer.from(`postmark:${password}`).toString('base64')}` },
      }),
    report(body: unknown, { secret = hooks.secret as string, at = clock.now(), id = randomUUID() as string } = {}) {
      const payload = JSON.stringify(body)
      const signature = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).sign(id, at, payload)
      return call('POST', `/v1/inbound/${made.slug}/mail/bounces`, {
        auth: null,
        payload,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signature,
        },
      })
    },
  }
}

/** As https://postmarkapp.com/developer/webhooks/bounce-webhook shows it. */
const bounceOf = (email: string, fields: Record<string, unknown> = {}) => ({
  RecordType: 'Bounce',
  MessageStream: 'outbound',
  ID: 4_323_372_036_854,
  Type: 'HardBounce',
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: 'Test',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  Metadata: { a_key: 'a_value', b_key: 'b_value' },
  ServerID: 23,
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Details: 'Test bounce details',
  Email: email,
  From: 'sender@example.com',
  BouncedAt: '2019-11-05T16:33:54.9070259Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: 'Test subject',
  Content: '<Full dump of bounce>',
  ...fields,
})

/** As https://postmarkapp.com/developer/webhooks/spam-complaint-webhook shows it. */
const complaintOf = (email: string) => ({
  RecordType: 'SpamComplaint',
  MessageStream: 'outbound',
  ID: 42,
  Type: 'SpamComplaint',
  TypeCode: 512,
  Name: 'Spam complaint',
  Tag: 'Test',
  MessageID: '00000000-0000-0000-0000-000000000000',
  Metadata: { a_key: 'a_value', b_key: 'b_value' },
  ServerID: 1234,
  Description: '',
  Details: 'Test spam complaint details',
  Email: email,
  From: 'sender@example.com',
  BouncedAt: '2019-11-05T16:33:54.9070259Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: false,
  Subject: 'Test subject',
  Content: '<Abuse report dump>',
})

const softTypes = [
  { Type: 'SoftBounce', TypeCode: 4096, Inactive: false },
  { Type: 'Transient', TypeCode: 2, Inactive: false },
  { Type: 'DnsError', TypeCode: 256, Inactive: false },
  { Type: 'AutoResponder', TypeCode: 64, Inactive: false },
]

const silent = { isSuppressed: true, wantsPromotion: true }
const open = { isSuppressed: false, wantsPromotion: true }

describe('reports of Postmark', () => {
  it('a hard bounce stops mail to the address, whatever its case', async () => {
    const { address, postmark, state, list } = await start()
    expect(await state()).toEqual(open)
    expect((await postmark(bounceOf(address.toUpperCase()))).status).toBe(200)
    expect((await postmark(bounceOf(address))).status).toBe(200)
    expect(await state()).toEqual(silent)
    expect(await list()).toMatchObject([{ address: 'm…@example.org', reason: 'bounced', gets_mail: false }])
  })

  it('a complaint does too, and is the reason from then on', async () => {
    const { address, postmark, state, list } = await start()
    await postmark(bounceOf(address))
    await postmark(complaintOf(address))
    await postmark(bounceOf(address))
    expect(await state()).toEqual(silent)
    expect(await list()).toMatchObject([{ reason: 'complained', detail: 'Test spam complaint details' }])
  })

  it.each(softTypes)('a soft bounce changes nothing: $Type', async (fields) => {
    const { address, postmark, state, list } = await start()
    expect((await postmark(bounceOf(address, fields))).status).toBe(200)
    expect(await state()).toEqual(open)
    expect(await list()).toEqual([])
  })

  it('other webhooks, and what is not readable, change nothing', async () => {
    const { address, postmark, list } = await start()
    expect((await postmark({ RecordType: 'Delivery', Recipient: address, ServerID: 23 })).status).toBe(200)
    expect((await postmark({ RecordType: 'Open', Email: address, FirstOpen: true })).status).toBe(200)
    expect((await postmark({ RecordType: 'Bounce', Type: 'HardBounce', Email: 'nobody' })).status).toBe(200)
    expect((await postmark([])).status).toBe(422)
    expect(await list()).toEqual([])
  })

  it('a wrong or missing secret is rejected, large or small, and nothing is stored', async () => {
    const { made, address, postmark, list } = await start()
    expect((await postmark(bounceOf(address), 'wrong')).status).toBe(401)
    expect((await postmark(bounceOf(address, { Content: 'x'.repeat(100_000) }), 'wrong')).status).toBe(401)
    const path = `/v1/inbound/${made.slug}/mail/postmark`
    expect((await call('POST', path, { auth: null, body: bounceOf(address) })).status).toBe(401)
    // An API key is not what it takes.
    const auth = await made.credentials('admin')
    expect((await call('POST', path, { auth, body: bounceOf(address) })).status).toBe(401)
    expect(await list()).toEqual([])
  })

  it('a shop whose hooks nobody has asked for takes none', async () => {
    const { slug } = await makeShop()
    const headers = { authorization: `Basic ${Buffer.from('postmark:').toString('base64')}` }
    const path = `/v1/inbound/${slug}/mail/postmark`
    expect((await call('POST', path, { auth: null, body: bounceOf('a@b.example'), headers })).status).toBe(401)
  })

  it('the whole bounce may come along, up to a megabyte', async () => {
    const { address, postmark, state } = await start()
    expect((await postmark(bounceOf(address, { Content: 'x'.repeat(1_000_000) }))).status).toBe(413)
    expect(await state()).toEqual(open)
    expect((await postmark(bounceOf(address, { Content: 'x'.repeat(500_000) }))).status).toBe(200)
    expect(await state()).toEqual(silent)
  })
})

describe('reports of any mail server', () => {
  it('a permanent bounce or a complaint stops mail, others do not', async () => {
    const { address, report, state } = await start()
    expect((await report({ type: 'bounce', recipient: address, permanent: false })).status).toBe(200)
    expect((await report({ type: 'bounce', recipient: address })).status).toBe(200)
    expect(await state()).toEqual(open)
    expect((await report({ type: 'bounce', recipient: address, permanent: true, reason: 'no' })).status).toBe(200)
    expect(await state()).toEqual(silent)
    expect((await report({ type: 'complaint', recipient: `other-${address}` })).status).toBe(200)
    expect(await state(`other-${address}`)).toEqual(silent)
  })

  it('counts once: one that is sent again does not stop mail that a colleague has allowed meanwhile', async () => {
    const { made, address, report, postmark, state, list } = await start()
    const [at, id] = [clock.now(), 'report-1']
    const allow = async () => {
      const [{ uuid }] = await list()
      expect((await made.as('admin').delete(`/mail/suppressions/${uuid}`)).status).toBe(200)
      expect(await state()).toEqual(open)
    }
    const bounce = { type: 'bounce', recipient: address, permanent: true }
    expect((await report(bounce, { at, id })).status).toBe(200)
    expect((await report(bounce, { at, id })).status).toBe(200)
    expect(await state()).toEqual(silent)
    await allow()
    clock.advance(4 * minuteMs)
    expect((await report(bounce, { at, id })).status).toBe(200)
    expect(await state()).toEqual(open)
    // The same about another message: a sender may give all its reports one id.
    expect((await report(bounce, { id })).status).toBe(200)
    expect(await state()).toEqual(silent)
    await allow()
    await postmark(bounceOf(address))
    await allow()
    expect((await postmark(bounceOf(address))).status).toBe(200)
    expect(await state()).toEqual(open)
    await postmark(bounceOf(address, { ID: 7 }))
    expect(await state()).toEqual(silent)
  })

  it('what is said about it is shown without addresses', async () => {
    const { address, report, list } = await start()
    const reason = `550 5.1.1 <${address}>: user unknown\r\nin table`
    await report({ type: 'bounce', recipient: address, permanent: true, reason })
    expect(await list()).toMatchObject([{ detail: '550 5.1.1 <…>: user unknown in table' }])
  })

  it('a return path names the message, and needs no recipient', async () => {
    const { made, service, shopId, address, report, state } = await start()
    const order = await createOrder(made.as('admin'))
    const deliveryId = await queueMail(service, {
      shopId,
      orderId: order.uuid,
      shipmentId: null,
      eventGroup: 'shipment_in_transit',
      body: { event_data: {}, context: { order: {}, customer: { email: address }, shipments: [], claims: [] } },
    })
    const genuine = returnPathOf(service.context(), { shopId, deliveryId, domain: 'bounces.shop.example' })
    expect(genuine.split('@')[0]?.length).toBeLessThanOrEqual(64)
    const forged = genuine.replace(/\.[0-9a-f]/, (text) => (text === '.0' ? '.1' : '.0'))
    expect((await report({ type: 'bounce', return_path: forged, permanent: true })).status).toBe(422)
    expect(await state()).toEqual(open)
    const spelled = `<${genuine.toUpperCase()}`
    expect((await report({ type: 'bounce', return_path: spelled, permanent: true })).status).toBe(200)
    expect(await state()).toEqual(silent)
    expect(readReturnPath(service.context(), randomUUID(), genuine)).toBeUndefined()
  })

  it('a wrong signature, an old one, and none are rejected, and nothing is stored', async () => {
    const { made, address, report, state } = await start()
    const body = { type: 'bounce', recipient: address, permanent: true }
    expect((await report(body, { secret: 'another secret' })).status).toBe(401)
    expect((await report(body, { at: new Date(clock.now().getTime() - 6 * minuteMs) })).status).toBe(401)
    expect((await report(body, { at: new Date(clock.now().getTime() + 6 * minuteMs) })).status).toBe(401)
    const path = `/v1/inbound/${made.slug}/mail/bounces`
    expect((await call('POST', path, { auth: null, body })).status).toBe(401)
    expect(await state()).toEqual(open)
  })

  it.each([
    {},
    { type: 'bounce' },
    { type: 'other', recipient: 'a@b.example' },
    { type: 'bounce', recipient: 7 },
    { type: 'bounce', recipient: 'a@b.example', permanent: 'yes' },
  ])('unreadable: %o', async (body) => {
    const { report } = await start()
    expect((await report(body)).status).toBe(422)
  })
})

describe('rejections by the mail server', () => {
  it('stop mail after two different days', async () => {
    const { service, shopId, address, state, list } = await start()
    const reject = () => recordRejection(service.context(), shopId, address, `550 <${address}> unknown`)
    await reject()
    await reject()
    expect(await state()).toEqual(open)
    expect(await list()).toEqual([])
    clock.advance(dayMs + hourMs)
    await reject()
    expect(await state()).toEqual(silent)
    expect(await list()).toMatchObject([{ reason: 'rejected', detail: '550 <…> unknown' }])
  })
})

describe('suppressed addresses', () => {
  it('are added by editors, lifted by admins, and listed for viewers', async () => {
    const { made, address, state, list } = await start()
    expect((await made.as('viewer').post('/mail/suppressions', { address })).status).toBe(403)
    const { status, body: added, headers } = await made.as('editor').post('/mail/suppressions', { address })
    expect(status).toBe(200)
    expect(headers.location).toBe(`/v1/shops/${made.slug}/mail/suppressions/${added.uuid}`)
    expect(added).toMatchObject({
      address: 'm…@example.org',
      reason: 'manual',
      gets_mail: false,
      gets_promotion: false,
    })
    expect((await made.as('editor').post('/mail/suppressions', { address: ` ${address} ` })).body).toEqual(added)
    expect(await state()).toEqual(silent)
    expect(await list()).toEqual([added])
    expect((await made.as('editor').delete(`/mail/suppressions/${added.uuid}`)).status).toBe(403)
    expect((await made.as('admin').delete(`/mail/suppressions/${added.uuid}`)).status).toBe(200)
    expect((await made.as('admin').delete(`/mail/suppressions/${added.uuid}`)).status).toBe(404)
    expect(await state()).toEqual(open)
  })

  it.each(['nobody', '@example.org', 'a b@example.org', 'mary@', 'mary@exa\nmple.org', 'ma\u0007ry@example.org'])(
    'what is not an address is rejected: %o',
    async (address) => {
      const { made, state } = await start()
      expect((await made.as('editor').post('/mail/suppressions', { address })).status).toBe(422)
      expect((await state(address)).isSuppressed).toBe(true)
    },
  )

  it('belong to their shop', async () => {
    const { made, address } = await start()
    const other = await start()
    const { body } = await made.as('editor').post('/mail/suppressions', { address })
    expect(await other.state(address)).toEqual(open)
    expect(await other.list()).toEqual([])
    expect((await other.made.as('admin').delete(`/mail/suppressions/${body.uuid}`)).status).toBe(404)
  })

  it('is found by its address, in its own shop only', async () => {
    const { made, address } = await start()
    const other = await start()
    const { body: added } = await made.as('editor').post('/mail/suppressions', { address })
    const find = (shop: typeof made, text: string) => shop.as('viewer').get('/mail/suppressions', { address: text })
    expect((await find(made, ` ${address.toUpperCase()}`)).body).toEqual([added])
    expect((await find(made, `other-${address}`)).body).toEqual([])
    expect((await find(other.made, address)).body).toEqual([])
    expect(await find(made, 'nobody')).toMatchObject({ status: 422, body: { errors: [{ loc: ['query', 'address'] }] } })
  })

  it('cannot be read from the store, nor from the audit log', async () => {
    const { made, service, address } = await start()
    await made.as('editor').post('/mail/suppressions', { address })
    const local = address.split('@')[0] ?? ''
    for (const table of ['mail_recipients', 'audit_log']) {
      const { rows } = await sql<{ text: string }>`
        select rows::text as text from ${sql.table(table)} as rows`.execute(service.database.db)
      expect(rows.filter(({ text }) => text.includes(local))).toEqual([])
    }
  })

  it('go with an erased customer, except for what the customer wanted', async () => {
    const { made, address, report, state, list } = await start()
    const admin = made.as('admin')
    const complainer = `complains-${address}`
    for (const email_id of [address, complainer]) await createOrder(admin, { email_id })
    await report({ type: 'bounce', recipient: address, permanent: true })
    await report({ type: 'complaint', recipient: complainer })
    expect((await admin.post('/privacy/export', { email: address })).body.mail).toMatchObject({
      gets_mail: false,
      reason: 'bounced',
    })
    expect((await admin.post('/privacy/erase', { email: address })).body).toMatchObject({ mail_recipients: 1 })
    expect((await admin.post('/privacy/erase', { email: complainer })).body).toMatchObject({ mail_recipients: 1 })
    expect((await admin.post('/privacy/export', { email: address })).body.mail).toBeNull()
    expect(await state()).toEqual(open)
    expect(await state(complainer)).toEqual(silent)
    expect(await list()).toMatchObject([{ address: null, reason: 'complained', detail: null }])
  })
})
