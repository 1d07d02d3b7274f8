import { describe, expect, it } from 'vitest'
import { call } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

describe('event names', () => {
  it('are listed with their meaning and their text in the language of the request', async () => {
    const auth = await (await makeShop()).credentials('viewer')
    const { status, body } = await call('GET', '/v1/event-names', { auth, headers: { 'accept-language': 'de' } })
    expect(status).toBe(200)
    expect(body).toHaveLength(159)
    expect(body).toContainEqual({
      event_name: 'OUT_FOR_DELIVERY',
      text: expect.stringMatching(/zustell/i),
      phase: 'in_delivery',
      flag: 'normal',
      event_group: 'shipment_out_for_delivery',
      return_event_group: expect.toSatisfy((group) => group === null || typeof group === 'string'),
      moves_phase: true,
    })
    for (const { event_name, text } of body) expect(text).not.toBe(event_name)
  })

  it('need a key', async () => {
    expect((await call('GET', '/v1/event-names', { auth: null })).status).toBe(400)
  })
})
