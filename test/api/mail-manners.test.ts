import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import type { MailServer, ReceivedMail } from '../harness/mail-server.ts'
import { makeMailShop } from '../harness/mail-shop.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { submit, visit } from '../harness/pages.ts'
import { call, clock } from '../harness/service.ts'

const servers: MailServer[] = []
afterEach(() => clock.reset())
afterAll(async () => {
  for (const server of servers) await server.close()
})

/** A shop with e-mail, and a parcel whose events are published one by one. */
async function start(settings: Record<string, unknown> = {}) {
  const { made, server } = await makeMailShop()
  servers.push(server)
  const shop = made.as('admin')
  await shop.patch('/settings/mail', settings)
  await shop.post('/announcements', { text: 'Ten percent off tents.', language: 'en' })
  const address = `ada-${uniqueNumber()}@example.com`
  const order = await createOrder(shop, { order_placed_at: undefined, email_id: address }, [
    { tracking_number: uniqueNumber('MM') },
  ])
  await settle()
  const id = order.trackings[0].id as string
  return {
    made,
    shop,
    server,
    address,
    /** Publishes an event later than what would be merged; returns the newest message. */
    async publish(event_name: string): Promise<ReceivedMail | undefined> {
      clock.advance(11 * minuteMs)
      await shop.post(`/shipments/${id}/events?notify=true`, { event_name })
      await settle()
      return server.mails.at(-1)
    },
  }
}

/** A header as it was sent, on one line. */
function headerOf(mail: ReceivedMail | undefined, name: string): string | undefined {
  const head = (mail?.raw ?? '').split('\r\n\r\n')[0]?.replaceAll(/\r\n[ \t]+/g, ' ') ?? ''
  const line = head.split('\r\n').find((line) => line.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}

const pathIn = (text: string) => new URL(text.replaceAll(/[<>\s]/g, '')).pathname

describe('messages about a parcel', () => {
  it('form a thread', async () => {
    const { server, publish } = await start()
    await publish('PARCEL_DISPATCHED')
    await publish('OUT_FOR_DELIVERY')
    await publish('SUCCESSFULLY_DELIVERED')
    const ids = server.mails.map(({ messageId }) => messageId)
    const last = server.mails.at(-1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(3)
    expect(headerOf(last, 'in-reply-to')).toBe(ids.at(-2))
    expect(headerOf(last, 'references')?.split(/\s+/).at(-1)).toBe(ids.at(-2))
  })

  it('stop when the address is reported by its return path', async () => {
    const { made, shop, server, publish } = await start({ bounce_domain: 'bounces.river-and-pine.example' })
    const mail = await publish('PARCEL_DISPATCHED')
    const return_path = mail?.envelope.from ?? ''
    expect(return_path).toMatch(/^bounce\+[0-9a-f]{32}\.[0-9a-f]{16}@bounces\.river-and-pine\.example$/)
    const { secret } = (await shop.get('/mail/hooks')).body
    const payload = JSON.stringify({ type: 'bounce', return_path, permanent: true, reason: 'no such user' })
    const at = clock.now()
    const { status } = await call('POST', `/v1/inbound/${made.slug}/mail/bounces`, {
      auth: null,
      payload,
      headers: {
        'webhook-id': 'report-1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).sign(
          'report-1',
          at,
          payload,
        ),
      },
    })
    expect(status).toBe(200)
    const before = server.mails.length
    await publish('OUT_FOR_DELIVERY')
    expect(server.mails).toHaveLength(before)
    const { body: deliveries } = await shop.get('/deliveries', { status: 'skipped' })
    expect(deliveries[0]).toMatchObject({ integration: 'smtp', event_group: 'shipment_out_for_delivery' })
  })
})

describe('promotion in messages', () => {
  it('can be stopped with one click, and messages about the order continue without it', async () => {
    const { server, publish } = await start({ promotion: true })
    const mail = await publish('PARCEL_DISPATCHED')
    expect(mail?.text).toContain('Ten percent off tents.')
    expect(headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const path = pathIn(headerOf(mail, 'list-unsubscribe') ?? '')
    expect((await submit(path, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    const before = server.mails.length
    const next = await publish('OUT_FOR_DELIVERY')
    expect(server.mails).toHaveLength(before + 1)
    expect(next?.text).not.toContain('Ten percent off tents.')
    expect(headerOf(next, 'list-unsubscribe')).toBeUndefined()
  })

  it('is not there, nor its headers, if the shop wants none', async () => {
    const { publish } = await start()
    const mail = await publish('PARCEL_DISPATCHED')
    expect(mail?.text).not.toContain('Ten percent off tents.')
    expect(headerOf(mail, 'list-unsubscribe')).toBeUndefined()
  })
})

describe('clicks on links of messages', () => {
  it('are counted only if the shop enables it, without a name', async () => {
    const { shop, publish } = await start({ click_counting: true })
    const mail = await publish('PARCEL_DISPATCHED')
    const [link = ''] = /https:\/\/doorstep\.example\/track\/[\w-]+\/mail-link\/[\w-]+/.exec(mail?.text ?? '') ?? []
    const { status, headers } = await visit(pathIn(link))
    expect(status).toBe(303)
    expect(String(headers.location)).toMatch(/^https:\/\/doorstep\.example\/track\/[\w-]+\/[\w-]{64}$/)
    await visit(pathIn(link), { headers: { 'user-agent': 'SafeLinksBot' } })
    const { body } = await shop.get('/mail/figures', { from: dayOfClock(), to: dayOfClock() })
    expect(body).toMatchObject({ counts_clicks: true, clicks: 1 })
    expect(body.sent).toBeGreaterThanOrEqual(1)
    await shop.patch('/settings/mail', { click_counting: false })
    await visit(pathIn(link))
    expect((await shop.get('/mail/figures', { from: dayOfClock(), to: dayOfClock() })).body.clicks).toBe(1)
    expect((await publish('OUT_FOR_DELIVERY'))?.text).not.toContain('/mail-link/')
  })
})

const dayOfClock = () => clock.now().toISOString().slice(0, 10)
