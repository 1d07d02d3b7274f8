import { afterAll, describe, expect, it } from 'vitest'
import { fillIn, open, orderToClaim, sendParts } from '../harness/claim-form.ts'
import { settle } from '../harness/deliveries.ts'
import { fieldsOf, withFields } from '../harness/page-form.ts'
import { startReceiver } from '../harness/receiver.ts'
import { makeShop } from '../harness/shop.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

describe('claim form', () => {
  it('notifies webhooks once, however often it is sent', async () => {
    const shop = await makeShop()
    await shop.as('admin').post('/webhooks', { url: `${receiver.url}/claims`, enabled_events: ['claims/created'] })
    const { address, order } = await orderToClaim(shop)
    const { text } = await open(address)
    await fillIn(address, text, { reason: 'support', description: '' })
    await settle()
    expect(receiver.received).toEqual([])
    const parts = withFields(fieldsOf(text), { reason: 'support', description: 'How do I wash it?' })
    await Promise.all([sendParts(address, parts), sendParts(address, parts)])
    await settle()
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.body).toMatchObject({
      ref: 'claims/created',
      event_data: { reason: 'support', status: 'pending', description: 'How do I wash it?' },
      context: { order: { order_number: order.order_number } },
    })
  })
})
