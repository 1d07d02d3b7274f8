import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createOrderWatch, streamLimits } from '../../src/customer-page/order/watch.ts'
import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { visit } from '../harness/pages.ts'
import { until as eventually } from '../harness/patience.ts'
import { openTestDatabase, startTestService, theService } from '../harness/service.ts'
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

  function watch(path: string, state: string, localAddress = '127.0.0.1'): Promise<IncomingMessage> {
    const address = `${origin}${path}/events?state=${encodeURIComponent(state)}`
    return new Promise((resolve, reject) => {
      get(address, { localAddress, agent: false }, resolve).once('error', reject)
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

  it('gets the place of the oldest if its link is open too often, which then comes back in a minute', async () => {
    const { path } = await send()
    const state = await stateOf(path)
    const open: IncomingMessage[] = []
    for (let count = 0; count < streamLimits.each.link; count += 1) open.push(await watch(path, state))
    const [oldest, ...others] = open
    const newest = await watch(path, state)
    expect([...open, newest].map(({ statusCode }) => statusCode)).toEqual(Array(open.length + 1).fill(200))
    let received = ''
    for await (const chunk of oldest ?? []) received += String(chunk)
    expect(received).toContain('retry: 60000')
    expect(others.filter(({ complete }) => complete)).toEqual([])
    for (const response of [...others, newest]) response.destroy()
  })

  it('is told to come back in a minute if its network has too many, and others are not', async () => {
    const links = await Promise.all(Array.from({ length: streamLimits.each.network / streamLimits.each.link }, send))
    const open: IncomingMessage[] = []
    for (const { path } of links) {
      for (let count = 0; count < streamLimits.each.link; count += 1) open.push(await watch(path, 'x'))
    }
    const { path } = await send()
    const rejected = await watch(path, 'x')
    expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([429, '60'])
    const head = await fetch(`${origin}${path}/events`, { method: 'HEAD' })
    expect([head.status, head.headers.get('retry-after')]).toEqual([429, '60'])
    const elsewhere = await watch(path, 'x', '127.0.9.1')
    expect(elsewhere.statusCode).toBe(200)
    for (const response of [...open, elsewhere]) response.destroy()
    // A place is free when a client disconnects.
    await eventually(async () => {
      const { status } = await fetch(`${origin}${path}/events`, { method: 'HEAD' })
      return status === 204 ? true : undefined
    })
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

describe('the streams of a process', () => {
  const { all, each } = streamLimits

  /** A watch, and how many of so many streams it opened; they are of different links. */
  async function start() {
    const context = (await theService()).context()
    const watch = createOrderWatch()
    const streams: Readable[] = []
    onTestFinished(() => {
      for (const stream of streams) stream.destroy()
    })
    const open = (shop: number, network: number, count: number) => {
      let opened = 0
      for (let n = 0; n < count; n += 1) {
        const order = { shopId: idOf(shop), orderId: idOf(streams.length) }
        const stream = watch.open(context, order, { state: 'x', address: `10.0.${network}.${n % 250}` })
        if (stream === undefined) continue
        streams.push(stream)
        opened += 1
      }
      return opened
    }
    return { open, streams }
  }

  const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

  it('cannot all be taken by one network', async () => {
    const { open } = await start()
    expect(open(1, 1, each.network + 10)).toBe(each.network)
    expect(open(1, 2, 10)).toBe(10)
  })

  it('cannot all be taken by one shop', async () => {
    const { open } = await start()
    let opened = 0
    for (let network = 0; network < 5; network += 1) opened += open(1, network, each.network)
    expect(opened).toBe(each.shop)
    expect(open(2, 9, 10)).toBe(10)
  })

  it('are limited, and are free again when they close', async () => {
    const { open, streams } = await start()
    let opened = 0
    for (let shop = 0; shop < 6; shop += 1) {
      for (let network = 0; network < 3; network += 1) opened += open(shop, shop * 3 + network, 150)
    }
    expect(opened).toBe(all)
    expect(open(99, 99, 1)).toBe(0)
    streams[0]?.destroy()
    await eventually(() => (open(99, 99, 1) === 1 ? true : undefined))
  })
})
