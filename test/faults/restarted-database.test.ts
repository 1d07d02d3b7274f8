import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveryLeaseMs } from '../../src/deliveries/retry.ts'
import { expectAllDelivered, makeStreamShop, streamEvents } from '../harness/event-stream.ts'
import { findPostgresPrograms, startPostgresServer } from '../harness/postgres-server.ts'
import { callApi, makeFolder, operator, start } from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const programs = findPostgresPrograms()
const reason = programs === undefined ? ' (skipped: PostgreSQL is not installed)' : ''
const restarts = 3
const eventsBetween = 150

describe.skipIf(reason !== '')(`PostgreSQL that restarts${reason}`, { timeout: 600_000 }, () => {
  it('is reported as unavailable meanwhile, even if a key would have to be checked', async () => {
    const server = await startPostgresServer(programs ?? '')
    const service = await start({
      DATA_DIR: makeFolder(),
      DATABASE_URL: server.url,
      ADMIN_API_KEY: operator.apiKey,
      LOG_LEVEL: 'fatal',
    })
    const wrong = { username: 'admin', apiKey: 'not-the-key' }
    expect(await callApi(service, wrong, 'GET', '/v1/shops')).toMatchObject({ status: 401 })
    await server.crash()
    expect(await callApi(service, wrong, 'GET', '/v1/shops')).toMatchObject({
      status: 503,
      body: { key: 'store_unavailable', type: 'api_error' },
    })
    await server.start()
    expect(await callApi(service, wrong, 'GET', '/v1/shops')).toMatchObject({ status: 401 })
  })

  it('loses no accepted event, and requires no restart of the service', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const server = await startPostgresServer(programs ?? '')
    const settings = {
      DATA_DIR: makeFolder(),
      DATABASE_URL: server.url,
      ADMIN_API_KEY: operator.apiKey,
      WEBHOOK_RETRY_BASE_MS: '100',
      LOG_LEVEL: 'fatal',
    }
    const service = await start(settings, { hasMovableClock: true })
    const shop = await makeStreamShop(service, operator, receiver, 300)
    const stream = streamEvents(() => service, operator, shop)
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
    await expectAllDelivered(stream, receiver, 200_000)
    expect(service.child.exitCode).toBeNull()
  })
})
