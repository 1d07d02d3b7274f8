import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../src/platform/foundation/clock.ts'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { pagePathOf, visit } from '../harness/pages.ts'
import { until } from '../harness/patience.ts'
import { startReceiver } from '../harness/receiver.ts'
import { call, clock, theService } from '../harness/service.ts'
import { makeShop, type ShopCaller } from '../harness/shop.ts'

describe('timeline', () => {
  it('shows each event with its consequences, down to the attempts', async () => {
    const shop = (await makeShop()).as('admin')
    const receiver = await startReceiver()
    try {
      const { body: endpoint } = await shop.post('/webhooks', {
        url: receiver.url,
        enabled_events: ['shipments/delivered'],
      })
      const number = uniqueNumber('L')
      const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
      await shop.post('/shipment-events', { id: number, event_name: 'PARCEL_DISPATCHED' })
      await shop.post('/shipment-events?notify=true', { id: number, event_name: 'PATCHED' })
      await shop.post('/shipment-events?notify=true', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
      await settle()
      const { body } = await shop.get(`/shipments/${order.trackings[0].id}/timeline`)
      expect(
        body.events.map((event: { event_key: string; reason: string }) => `${event.event_key}: ${event.reason}`),
      ).toEqual([
        'ORDER_CREATED: no receiver',
        'ORDER_PROCESSED: no receiver',
        'PARCEL_DISPATCHED: not asked to notify',
        'PATCHED: no event group',
        'SUCCESSFULLY_DELIVERED: told',
      ])
      expect(body.events.at(-1).notifications).toMatchObject([
        {
          event_group: 'shipment_delivered',
          deliveries: [{ webhook_id: endpoint.uuid, status: 'delivered', attempts: [{ number: 1, status_code: 200 }] }],
        },
      ])
      expect(body.others).toEqual([])
      expect((await shop.get('/shipments/0192f3c4-7b1e-7cc0-9d3a-2f6f7a1b4c5d/timeline')).status).toBe(404)
    } finally {
      await receiver.close()
    }
  })

  it('shows the responses of receivers to admins only, and of the addresses of automations the host', async () => {
    const made = await makeShop()
    const admin = made.as('admin')
    const receiver = await startReceiver()
    try {
      receiver.respond = () => ({ status: 500, body: 'stack trace of the receiver' })
      const url = `${receiver.url}/services/secret-part`
      await admin.post('/webhooks', { url: receiver.url })
      await admin.post('/automations', {
        name: 'Hooked',
        trigger: { events: ['shipments/delivered'] },
        actions: [{ type: 'webhook', url }],
      })
      const number = uniqueNumber('L')
      const order = await createOrder(admin, {}, [{ tracking_number: number }])
      await admin.post('/shipment-events?notify=true', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
      await settle()
      // The automation's delivery is queued when its run is executed.
      ;(await theService()).workers?.automations.wake()
      await settle()
      const path = `/shipments/${order.trackings[0].id}/timeline`
      const shown = (await admin.get(path)).text
      expect(shown).toContain('stack trace of the receiver')
      expect(shown).toContain(`${receiver.url}/***`)
      expect(shown).not.toContain('secret-part')
      for (const role of ['viewer', 'editor'] as const) {
        const { body, text } = await made.as(role).get(path)
        expect(text).not.toMatch(/stack trace|secret-part/)
        const attempts = body.events.flatMap(({ notifications }: Entry) =>
          notifications.flatMap(({ deliveries }) => deliveries.flatMap((delivery) => delivery.attempts)),
        )
        expect(attempts).toContainEqual(
          expect.objectContaining({ status_code: 500, stage: 'status', answer: null, error: 'returned 500' }),
        )
      }
    } finally {
      await receiver.close()
    }
  })
})

describe('timeline of an order', () => {
  interface StoryEntry {
    id: string
    kind: string
    at: string
    shipment_id: string | null
    caused_by: string | null
    event: { event_key: string; label: string; location: string | null; reason: string } | null
    message: {
      delivery_id: string
      webhook_id: string | null
      status: string
      attempt_count: number
      label: string | null
      failure: { status_code: number | null } | null
    } | null
    rule: { name: string; status: string } | null
    page_views: { views: number } | null
    claim: { reason: string } | null
  }

  const of = (entries: StoryEntry[], kind: string) => entries.filter((entry) => entry.kind === kind)

  it('is one story of its parcels, messages, rules, page views and claims', async () => {
    const made = await makeShop()
    const shop = made.as('admin')
    const [good, bad] = [await startReceiver(), await startReceiver()]
    try {
      bad.respond = () => ({ status: 503, body: 'busy' })
      await shop.post('/webhooks', { url: good.url, enabled_events: ['shipments/delivered'] })
      await shop.post('/webhooks', { url: bad.url, enabled_events: ['shipments/delivered'] })
      await shop.post('/automations', {
        name: 'Thank them',
        trigger: { events: ['shipments/delivered'] },
        actions: [{ type: 'add_segment', segment: 'happy' }],
      })
      const number = uniqueNumber('L')
      const order = await createOrder(shop, { order_placed_at: undefined }, [{ tracking_number: number }])
      const shipmentId = order.trackings[0].id
      clock.advance(hourMs)
      await shop.post('/shipment-events?notify=true', { id: number, event_name: 'SUCCESSFULLY_DELIVERED' })
      await settle()
      ;(await theService()).workers?.automations.wake()
      await settle()
      clock.advance(hourMs)
      const page = await pagePathOf(shop, order.order_number)
      for (let look = 0; look < 3; look += 1) expect((await visit(page)).status).toBe(200)
      await shop.post('/claims', { tracking_number: number, reason: 'damage' })
      const entries: StoryEntry[] = await until(async () => {
        const { body } = await made.as('viewer').get(`/orders/${order.uuid}/timeline`)
        return of(body.entries, 'page_view').length > 0 ? body.entries : undefined
      })
      expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort())
      expect(entries[0]).toMatchObject({ kind: 'order_placed' })
      const delivered = of(entries, 'event').at(-1)
      expect(delivered).toMatchObject({
        shipment_id: shipmentId,
        event: { event_key: 'SUCCESSFULLY_DELIVERED', location: null, reason: 'told' },
      })
      const messages = of(entries, 'message').filter(({ caused_by }) => caused_by === delivered?.id)
      expect(messages.map(({ message }) => message?.status).sort()).toEqual(['delivered', 'pending'])
      expect(messages.find(({ message }) => message?.status === 'pending')?.message).toMatchObject({
        label: delivered?.event?.label,
        failure: { status_code: 503 },
      })
      expect(messages.find(({ message }) => message?.status === 'delivered')?.message?.failure).toBeNull()
      expect(of(entries, 'rule')).toMatchObject([
        { caused_by: delivered?.id, rule: { name: 'Thank them', status: 'done' } },
      ])
      expect(of(entries, 'page_view')).toMatchObject([{ page_views: { views: 1 } }])
      expect(of(entries, 'claim')).toMatchObject([{ shipment_id: shipmentId, claim: { reason: 'damage' } }])
    } finally {
      clock.reset()
      await good.close()
      await bad.close()
    }
  })

  it('has no deleted claims', async () => {
    const shop = (await makeShop()).as('admin')
    const number = uniqueNumber('L')
    const order = await createOrder(shop, {}, [{ tracking_number: number }])
    const claim = async (reason: string) => {
      const { headers } = await shop.post('/claims', { tracking_number: number, reason })
      return String(headers.location).split('/').at(-1)
    }
    const deleted = await claim('damage')
    await claim('missing_product')
    expect((await shop.delete(`/claims/${deleted}`)).status).toBe(200)
    const { entries } = (await shop.get(`/orders/${order.uuid}/timeline`)).body
    expect(of(entries, 'claim')).toMatchObject([{ claim: { reason: 'missing_product' } }])
  })

  it('is for the shop of the order only', async () => {
    const [shop, other] = [await makeShop(), await makeShop()]
    const order = await createOrder(shop.as('editor'))
    expect((await shop.as('viewer').get(`/orders/${order.uuid}/timeline`)).status).toBe(200)
    expect(await other.as('viewer').get(`/orders/${order.uuid}/timeline`)).toMatchObject({
      status: 404,
      body: { key: 'order_not_found' },
    })
    expect((await call('GET', `/v1/shops/${shop.slug}/orders/${order.uuid}/timeline`, { auth: null })).status).toBe(400)
    expect((await shop.as('viewer').get('/orders/nonsense/timeline')).status).toBe(422)
  })
})

describe('page views', () => {
  async function viewsOf(shop: ShopCaller, shipmentId: string): Promise<{ views: number }[]> {
    return (await shop.get(`/shipments/${shipmentId}/timeline`)).body.page_views
  }

  /** A page does not wait until its view is counted. */
  async function viewedHours(shop: ShopCaller, shipmentId: string, hours: number): Promise<void> {
    await until(async () => ((await viewsOf(shop, shipmentId)).length === hours ? true : undefined))
  }

  it('are counted once in ten minutes, by the hour, for customers only', async () => {
    const made = await makeShop()
    const shop = made.as('editor')
    const order = await createOrder(shop)
    const shipmentId = order.trackings[0].id
    const page = await pagePathOf(shop, order.order_number)
    clock.advanceToHalfPast()
    try {
      await visit(page, { headers: { 'user-agent': 'Googlebot/2.1' } })
      await visit(page, { headers: { 'sec-gpc': '1' } })
      await visit(`${page}?from=dashboard`)
      await visit(page, { headers: { 'sec-purpose': 'prefetch' } })
      await visit(page)
      await visit(page)
      await viewedHours(shop, shipmentId, 1)
      clock.advance(11 * minuteMs)
      await visit(page)
      await until(async () => ((await viewsOf(shop, shipmentId))[0]?.views === 2 ? true : undefined))
      clock.advance(hourMs)
      await visit(page)
      await viewedHours(shop, shipmentId, 2)
    } finally {
      clock.reset()
    }
  })

  it("are part of a customer's data, and erased with them", async () => {
    const made = await makeShop()
    const shop = made.as('admin')
    const order = await createOrder(shop)
    const shipmentId = order.trackings[0].id
    await visit(await pagePathOf(shop, order.order_number))
    await viewedHours(shop, shipmentId, 1)
    const { body } = await shop.post('/privacy/export', { email: order.email_id })
    expect(body.orders[0].page_views).toMatchObject([{ views: 1 }])
    expect((await shop.post('/privacy/erase', { email: order.email_id })).body).toMatchObject({ page_views: 1 })
    expect(await viewsOf(shop, shipmentId)).toEqual([])
  })
})

interface Entry {
  notifications: { deliveries: { attempts: unknown[] }[] }[]
}
