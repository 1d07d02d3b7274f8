import { describe, expect, it } from 'vitest'
import { settle } from '../harness/deliveries.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { startReceiver } from '../harness/receiver.ts'
import { theService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

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

  it('shows the responses of receivers, and the addresses of automations, to admins only', async () => {
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
      expect((await admin.get(path)).text).toContain('stack trace of the receiver')
      expect((await admin.get(path)).text).toContain('secret-part')
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

interface Entry {
  notifications: { deliveries: { attempts: unknown[] }[] }[]
}
