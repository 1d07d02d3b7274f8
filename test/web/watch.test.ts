import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { visit } from '../harness/pages.ts'
import { openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

describe('open page', () => {
  let service: Service
  let origin: string
  let shop: TestShop

  beforeAll(async () => {
    service = await startTestService({ PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '' }, await openTestDatabase())
    origin = service.url.replace('localhost', '127.0.0.1')
    shop = await makeShop({}, service)
  })

  afterAll(() => service?.stop())

  async function send(): Promise<{ path: string; trackingNumber: string }> {
    const editor = shop.as('editor')
    const trackingNumber = uniqueNumber('WATCHED')
    const order = await createOrder(editor, {}, [{ tracking_number: trackingNumber, carrier_reference: 'dhl' }])
    const { body } = await editor.post('/orders/trackpage-url', { id: order.order_number })
    return { path: new URL(body.url).pathname, trackingNumber }
  }

  const stateOf = async (path: string) => /data-state="([^"]+)"/.exec((await visit(path, {}, service)).text)?.[1] ?? ''

  const scan = (trackingNumber: string, event_name: string) =>
    shop.as('editor').post('/shipment-events', { id: trackingNumber, event_name })

  function watch(path: string, state: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(`${origin}${path}/events?state=${encodeURIComponent(state)}`, resolve).once('error', reject)
    })
  }

  /** Reads a stream until it contains a text. */
  async function until(response: IncomingMessage, wanted: string): Promise<string> {
    let received = ''
    for await (const chunk of response.iterator({ destroyOnReturn: false })) {
      received += String(chunk)
      if (received.includes(wanted)) break
    }
    return received
  }

  it('is notified when something happened, and then has new content', async () => {
    const { path, trackingNumber } = await send()
    const state = await stateOf(path)
    const response = await watch(path, state)
    expect(response.headers['content-type']).toBe('text/event-stream')
    await until(response, 'retry:')
    await scan(trackingNumber, 'OUT_FOR_DELIVERY')
    const received = await until(response, 'event: change')
    expect(received).toMatch(/event: change\ndata: \S+\n\n/)
    response.destroy()
    expect(await stateOf(path)).not.toBe(state)
    expect((await visit(path, {}, service)).text).toContain('Your parcel is out for delivery')
  })

  it('is notified of a change between its loading and its subscription', async () => {
    const { path, trackingNumber } = await send()
    const state = await stateOf(path)
    await scan(trackingNumber, 'OUT_FOR_DELIVERY')
    const response = await watch(path, state)
    expect(await until(response, 'event: change')).toContain('event: change')
    response.destroy()
  })

  it('is notified of a claim, and of a decision about it', async () => {
    const { path, trackingNumber } = await send()
    const before = await stateOf(path)
    const { headers } = await shop.as('editor').post('/claims', { tracking_number: trackingNumber, reason: 'damage' })
    const uuid = String(headers.location).split('/').at(-1)
    const claimed = await stateOf(path)
    expect(claimed).not.toBe(before)
    await shop.as('editor').put(`/claims/${uuid}`, { status: 'accepted' })
    expect(await stateOf(path)).not.toBe(claimed)
  })

  it('has a limited number of subscriptions', async () => {
    const { path } = await send()
    const state = await stateOf(path)
    const open = await Promise.all(Array.from({ length: 20 }, () => watch(path, state)))
    expect(open.map(({ statusCode }) => statusCode)).toEqual(open.map(() => 200))
    const refused = await watch(path, state)
    expect(refused.statusCode).toBe(204)
    for (const response of open) response.destroy()
    // A subscription becomes free when a client disconnects.
    for (;;) {
      const again = await watch(path, state)
      again.destroy()
      if (again.statusCode === 200) break
    }
  })

  it('is disconnected when the service stops', async () => {
    const other = await startTestService({ PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '' }, await openTestDatabase())
    const otherShop = await makeShop({}, other)
    const editor = otherShop.as('editor')
    const order = await createOrder(editor)
    const { body } = await editor.post('/orders/trackpage-url', { id: order.order_number })
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(`${other.url.replace('localhost', '127.0.0.1')}${new URL(body.url).pathname}/events?state=x`, resolve)
    })
    await until(response, 'retry:')
    response.resume()
    const ended = once(response, 'end')
    await other.stop()
    await ended
    expect(response.complete).toBe(true)
  })
})
