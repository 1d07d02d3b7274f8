import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveryLeaseMs } from '../../src/delivery/queue/retry.ts'
import { expectAllDelivered, makeStreamShop, streamEvents } from '../harness/event-stream.ts'
import { until, within } from '../harness/patience.ts'
import { findPostgresPrograms, startPostgresServer } from '../harness/postgres-server.ts'
import { basic, callApi, makeFolder, makeShop, operator, sharedByTests, start } from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const programs = findPostgresPrograms()
const reason = programs === undefined ? ' (skipped: PostgreSQL is not installed)' : ''
const restarts = 3
const eventsBetween = 50

describe.skipIf(reason !== '')(`PostgreSQL that restarts${reason}`, () => {
  const shared = sharedByTests(async (cleanup) => {
    const server = await startPostgresServer(programs ?? '', cleanup)
    const settings = {
      DATA_DIR: makeFolder(cleanup),
      DATABASE_URL: server.url,
      ADMIN_API_KEY: operator.apiKey,
      WEBHOOK_RETRY_BASE_MS: '100',
      LOG_LEVEL: 'fatal',
    }
    const service = await start(settings, { hasMovableClock: true, cleanup })
    await makeShop(service, operator, 'shop')
    return { server, service }
  })

  it('is reported as unavailable meanwhile, wherever a request arrives', async () => {
    const { server, service } = shared()
    expect(await callApi(service, wrong, 'GET /v1/shops')).toMatchObject({ status: 401 })
    await server.crash()
    await expectUnavailable(service)
    await server.start()
    expect(await callApi(service, wrong, 'GET /v1/shops')).toMatchObject({ status: 401 })
  })

  it('is reported in the same way if it hangs', async () => {
    const { server, service } = shared()
    server.freeze()
    try {
      await expectUnavailable(service)
    } finally {
      server.resume()
    }
    await until(async () => ((await callApi(service, operator, 'GET /v1/shops')).status === 200 ? true : undefined))
  })

  it('loses no accepted event, and requires no restart of the service', async () => {
    const { server, service } = shared()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    await makeStreamShop(service, operator, receiver)
    const stream = streamEvents(() => service, operator)
    for (let restart = 0; restart < restarts; restart += 1) {
      await stream.until(stream.accepted.size + eventsBetween)
      await server.crash()
      await server.start()
    }
    await stream.until(stream.accepted.size + eventsBetween)
    await stream.stop()
    // An event that was committed just before its response was lost already exists when it is sent again: 409.
    expect([503, 409]).toEqual(expect.arrayContaining([...stream.refused.keys()]))
    // Deliveries that were claimed when the server stopped become due again when their lease ends.
    await service.advance(deliveryLeaseMs)
    await expectAllDelivered(stream, receiver)
    expect(service.child.exitCode).toBeNull()
  })
})

const wrong = { username: 'admin', apiKey: 'not-the-key' }

/** One request for each way into the service. */
const entrances: { name: string; path: string; body?: unknown; headers?: Record<string, string> }[] = [
  { name: 'a read', path: '/v1/shops/shop/orders' },
  { name: 'a write', path: '/v1/shops', body: { name: 'second', slug: 'second' } },
  { name: 'a key that is not cached', path: '/v1/shops', headers: { authorization: basic(wrong) } },
  { name: 'the event feed', path: '/v1/shops/shop/events?wait=5' },
  {
    name: 'a signed hook',
    path: '/v1/inbound/shop/shopify',
    headers: { 'x-shopify-hmac-sha256': 'bm9uZQ==' },
    body: {},
  },
  { name: 'the sign-in', path: '/v1/session', headers: {}, body: { username: 'admin', api_key: 'not-the-key' } },
  {
    name: 'an agent',
    path: '/mcp',
    headers: { authorization: basic(wrong), accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  },
]

async function expectUnavailable(service: { url: string }): Promise<void> {
  const request = (path: string, headers: Record<string, string>, body?: unknown) =>
    within(
      fetch(`${service.url}${path}`, {
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    )
  await Promise.all(
    entrances.map(async ({ name, path, body, headers = { authorization: basic(operator) } }) => {
      const response = await request(path, headers, body)
      expect({ status: response.status, body: await response.json() }, name).toMatchObject({
        status: 503,
        body: { key: 'store_unavailable', type: 'api_error' },
      })
      expect(response.headers.get('retry-after'), name).toBe('1')
    }),
  )
  const page = await request('/track/shop', { 'accept-language': 'de' })
  expect(page.status).toBe(503)
  expect(page.headers.get('retry-after')).toBe('1')
  expect(await page.text()).toContain('lang="de"')
  expect((await request('/readyz', {})).status).toBe(503)
}
