import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveryLeaseMs } from '../../src/delivery/queue/retry.ts'
import { expectAllDelivered, makeStreamShop, streamEvents } from '../harness/event-stream.ts'
import { createMigratedPostgresDatabase } from '../harness/prepared-stores.ts'
import { launch, makeFolder, operator, running, start } from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'

describe.skipIf(reason !== '')(`two worker nodes on one PostgreSQL${reason}`, () => {
  it('deliver every accepted event even if one of them is killed', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    // Slow enough that both workers have deliveries in flight at any time.
    receiver.respond = () => ({ status: 200, afterMs: 50 })
    const settings = {
      DATABASE_URL: await createMigratedPostgresDatabase(),
      ENCRYPTION_KEY: 'the-key-of-all-nodes',
      ADMIN_API_KEY: operator.apiKey,
      WEBHOOK_RETRY_BASE_MS: '100',
      LOG_LEVEL: 'warn',
    }
    const api = await start({ ...settings, ROLE: 'api', DATA_DIR: makeFolder() })
    const workers = [1, 2].map(() =>
      launch({ ...settings, ROLE: 'worker', DATA_DIR: makeFolder() }, { hasMovableClock: true }),
    )
    const [killed, left] = await Promise.all(workers.map(running))
    await makeStreamShop(api, operator, receiver)
    const stream = streamEvents(() => api, operator)
    await stream.until(200)
    killed?.child.kill('SIGKILL')
    expect(await killed?.ended).toEqual({ code: null, signal: 'SIGKILL' })
    await stream.until(300)
    await stream.stop()
    expect(stream.refused).toEqual(new Map())
    // The other one sends the rest when the lease ends.
    await left?.advance(deliveryLeaseMs)
    await expectAllDelivered(stream, receiver)
    expect(left?.child.exitCode).toBeNull()
  })
})
