import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../src/service.ts'
import { type CollectedSpan, type Collector, startCollector } from '../harness/collector.ts'
import { runJobs, settle } from '../harness/deliveries.ts'
import { createOrder, orderOf, uniqueNumber, upsertOf } from '../harness/orders.ts'
import { pagePathOf } from '../harness/pages.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { call, logLines, openTestDatabase, startTestService, superadmin } from '../harness/service.ts'
import { makeShop, type ShopCaller, type TestShop } from '../harness/shop.ts'

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
const email = 'ada.secretive@customers.example'
const basic = `Basic ${Buffer.from(`${superadmin.username}:${superadmin.apiKey}`).toString('base64')}`

let collector: Collector
let webhook: Receiver
let broken: Receiver
let braze: Receiver
let shop: TestShop
let pagePath: string
let endpointSecret: string
let spans: CollectedSpan[]
let lines: string[]

// One service runs for a short time; the tests below check what its collector has received.
beforeAll(async () => {
  ;[collector, webhook, broken, braze] = await Promise.all([
    startCollector(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
  ])
  broken.respond = () => ({ status: 503 })
  braze.respond = () => ({ status: 201, body: '{"message":"success"}' })
  const linesBefore = logLines.length
  const service = await startTestService(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=river%20and%20pine,x-token=of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
    await openTestDatabase(),
  )
  try {
    shop = await makeShop({}, service)
    await liveThrough(service, shop.as('admin'))
  } finally {
    await service.stop()
  }
  spans = collector.spans()
  lines = logLines.slice(linesBefore)
})

afterAll(async () => {
  for (const server of [collector, webhook, broken, braze]) await server.close()
})

async function liveThrough(service: Service, admin: ShopCaller): Promise<void> {
  const trackingNumber = uniqueNumber('T')
  const order = await createOrder(admin, { email_id: email, order_placed_at: undefined }, [
    { tracking_number: trackingNumber },
  ])
  await settle(service)
  endpointSecret = (await admin.post('/webhooks', { url: `${webhook.url}/path-of-mine?token=query-of-mine` })).body
    .secret
  await admin.post('/webhooks', { url: `${broken.url}/broken` })
  await admin.put('/keys/braze', { api_key: 'a-key-of-braze-that-is-long' })
  await admin.patch('/settings/triggers/braze', { status: true, rest_endpoint: braze.url })
  await admin.post(
    '/shipment-events?notify=true',
    { id: trackingNumber, event_name: 'OUT_FOR_DELIVERY' },
    { headers: { traceparent, tracestate: 'vendor=ada.secretive' } },
  )
  await webhook.until(1)
  await broken.until(1)
  await braze.until(1)
  await service.workers?.deliveries.idle()

  await admin.get('/orders', { email_id: email })
  await admin.get(`/shipments/${order.trackings[0].id}`)
  pagePath = await pagePathOf(admin, order.order_number)
  await call('GET', pagePath, { auth: null }, service)
  await call('GET', `/nowhere/${email}`, {}, service)
  await call('GET', `/v1/shops/${email}/orders`, {}, service)
  const together = [uniqueNumber(), uniqueNumber(), uniqueNumber()]
  await Promise.all(together.map((number) => admin.put('/orders', upsertOf(number, orderOf(number)))))
  await runJobs(service)
  await sql`drop table claims cascade`.execute(service.database.db)
  await service.app.inject({
    method: 'GET',
    url: `/v1/shops/${shop.slug}/claims`,
    headers: { authorization: basic, traceparent: 'not a traceparent' },
  })
}

function spansNamed(name: string): CollectedSpan[] {
  return spans.filter((span) => span.name === name)
}

function spanNamed(name: string): CollectedSpan {
  const [span, ...others] = spansNamed(name)
  if (span === undefined || others.length > 0) throw new Error(`${others.length + 1} or no spans are named ${name}`)
  return span
}

describe('request', () => {
  it('is a span in the trace of its caller', () => {
    expect(spanNamed('createShipmentEvent')).toMatchObject({
      traceId: caller.traceId,
      parentSpanId: caller.spanId,
      kind: 'server',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/shops/:slug/shipment-events',
        'http.response.status_code': 200,
        'url.path': `/v1/shops/${shop.slug}/shipment-events`,
        'url.scheme': 'http',
        'doorstep.shop.slug': shop.slug,
      },
    })
  })

  it('starts a trace if the caller sent none, or an invalid one', () => {
    for (const name of ['getTrackpageUrl', 'searchClaims']) {
      expect(spanNamed(name)).toMatchObject({
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        parentSpanId: undefined,
      })
    }
  })

  it('that fails on our side is an error, one that is rejected is not', () => {
    expect(spanNamed('searchClaims')).toMatchObject({
      isError: true,
      attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    })
    const refused = spans.filter(({ attributes }) => attributes['http.response.status_code'] === 404)
    expect(refused.map(({ name, isError }) => [name, isError])).toEqual([
      ['GET', false],
      ['searchOrders', false],
    ])
  })

  it('has trace_id and span_id in each of its log lines', () => {
    const { traceId, spanId } = spanNamed('searchClaims')
    const ofTheRequest = lines.map((line) => JSON.parse(line)).filter((line) => line.trace_id === traceId)
    expect(ofTheRequest.map(({ msg, span_id }) => [msg, span_id])).toEqual([
      ['unexpected error', spanId],
      ['request', spanId],
    ])
  })

  it('is named by its route, because its path may be a secret', () => {
    expect(spanNamed('GET').attributes).not.toHaveProperty('url.path')
    const page = spans.find(({ attributes }) => String(attributes['http.route']).startsWith('/track/'))
    expect(page?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'doorstep.shop.slug': shop.slug,
    })
    expect(page?.attributes['url.path']).not.toBe(pagePath)
  })
})

describe('writes in one batch', () => {
  it('are one span, a part of one request and linked to the others', () => {
    const requests = spansNamed('upsertOrder')
    const joined = spansNamed('writeOrders').find(({ attributes }) => attributes['doorstep.batch.size'] === 3)
    const ids = requests.map(({ spanId }) => spanId)
    expect(ids).toContain(joined?.parentSpanId)
    expect(joined?.links).toHaveLength(2)
    for (const link of joined?.links ?? []) expect(ids).toContain(link)
  })
})

describe('attempt to deliver', () => {
  it('is a span of its own, linked to the write that queued it', () => {
    const write = spansNamed('recordAndPublish').find(({ traceId }) => traceId === caller.traceId)
    const [attempt] = spansNamed('deliver to webhook').filter(({ isError }) => !isError)
    expect(attempt).toMatchObject({
      kind: 'client',
      parentSpanId: undefined,
      links: [write?.spanId],
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(webhook.url).port),
        'url.scheme': 'http',
        'doorstep.delivery.id': webhook.received[0]?.headers['webhook-id'],
        'doorstep.delivery.attempt': 1,
        'doorstep.delivery.verdict': 'delivered',
      },
    })
    expect(write?.parentSpanId).toBe(spanNamed('createShipmentEvent').spanId)
  })

  it('sends the endpoint the span that calls it', () => {
    const [attempt] = spansNamed('deliver to webhook').filter(({ isError }) => !isError)
    expect(webhook.received[0]?.headers.traceparent).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`)
    expect(webhook.received[0]?.headers.tracestate).toBeUndefined()
  })

  it('that is rejected is an error', () => {
    const [attempt] = spansNamed('deliver to webhook').filter(({ isError }) => isError)
    expect(attempt?.attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': '503',
      'server.port': Number(new URL(broken.url).port),
      'doorstep.delivery.verdict': 'retry',
    })
  })

  it('to a marketing system names its server, and does not send it the trace', () => {
    expect(spanNamed('deliver to braze').attributes).toMatchObject({
      'http.response.status_code': 201,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(braze.url).port),
    })
    expect(braze.received.map(({ headers }) => headers.traceparent)).toEqual([undefined])
  })
})

describe('scheduled job', () => {
  it('is a span', () => {
    expect(spanNamed('job internal triggers')).toMatchObject({ kind: 'internal', isError: false })
  })
})

describe('export', () => {
  it('contains no query, no address of a customer, no token and no secret', () => {
    const exported = collector.received.map(({ text }) => text).join('\n')
    expect(exported).toContain(shop.slug)
    const token = pagePath.split('/').at(-1) ?? ''
    expect(token.length).toBeGreaterThan(20)
    for (const secret of [
      'ada.secretive',
      '?',
      '@',
      '%40',
      token,
      endpointSecret,
      'of-mine',
      basic.split(' ')[1] ?? '',
    ]) {
      expect(exported).not.toContain(secret)
    }
  })

  it('goes to the traces path of the endpoint, with the configured headers and service name', () => {
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
    expect(collector.received[0]?.headers).toMatchObject({
      'x-tenant': 'river and pine',
      'x-token': 'of-the-collector',
    })
    expect(spans[0]?.resource).toMatchObject({
      'service.name': 'doorstep',
      'telemetry.sdk.language': 'nodejs',
      'deployment.environment.name': 'test',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })
})
