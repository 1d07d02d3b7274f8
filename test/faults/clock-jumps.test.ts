import { describe, expect, it } from 'vitest'
import { deliveryLeaseMs } from '../../src/delivery/queue/retry.ts'
import { hourMs } from '../../src/platform/foundation/clock.ts'
import { startLedgerReceiver, streamOrders } from '../harness/order-stream.ts'
import { until } from '../harness/patience.ts'
import { findPostgresPrograms, startPostgresServer } from '../harness/postgres-server.ts'
import { callApi, makeFolder, makeShop, makeStore, operator, type RunningProcess, start } from '../harness/process.ts'

/** Accepted between two jumps: some of it is enqueued, some claimed, some about to be tried again. */
const eventsBetween = 12
/** The most that the processes have in flight together, with what has ended and is being recorded. */
const mostInFlight = 64
/** An hour ahead, back, an hour behind, and right again. */
const jumps = [hourMs, -hourMs, -hourMs, hourMs]
const programs = findPostgresPrograms()
const reason = programs === undefined ? ' (skipped: PostgreSQL is not installed)' : ''
const settings = { ADMIN_API_KEY: operator.apiKey, WEBHOOK_RETRY_BASE_MS: '100', LOG_LEVEL: 'fatal' }
const options = { hasMovableClock: true }

describe('clock that jumps by an hour', () => {
  it('loses nothing, repeats nothing and delays nothing on the embedded store', async () => {
    const service = await start({ ...settings, DATA_DIR: await makeStore() }, options)
    const { repeated } = await streamAcross('single', [service], (byMs) => service.setClock(byMs))
    expect(repeated).toEqual([])
  })

  it.skipIf(reason !== '')(`loses nothing on two nodes, whether both jump or one does${reason}`, async () => {
    const server = await startPostgresServer(programs ?? '')
    const onServer = { ...settings, DATABASE_URL: server.url, ENCRYPTION_KEY: 'the-key-of-all-nodes' }
    const first = await start({ ...onServer, DATA_DIR: makeFolder() }, options)
    const second = await start({ ...onServer, DATA_DIR: makeFolder() }, options)
    const nodes = [first, second]
    const onEach = async (move: (node: RunningProcess) => Promise<void>) => void (await Promise.all(nodes.map(move)))
    // Deliveries that one node had leased when the clocks jumped are due to the other when the lease ends.
    const endLeases = () => onEach((node) => node.advance(deliveryLeaseMs))
    const setBoth = (byMs: number) => onEach((node) => node.setClock(byMs))
    const together = await streamAcross('together', nodes, setBoth, endLeases)
    const alone = await streamAcross('alone', nodes, (byMs) => second.setClock(byMs), endLeases)
    // Between two clocks that differ by an hour a lease means nothing: what is in flight may be sent by both nodes.
    for (const { repeated } of [together, alone]) expect(repeated.length).toBeLessThan(mostInFlight * jumps.length)
  })
})

/** Streams orders and events while the clock jumps; returns the events that arrived more than once. */
async function streamAcross(
  slug: string,
  nodes: RunningProcess[],
  jump: (byMs: number) => Promise<void>,
  endLeases = async () => {},
): Promise<{ repeated: string[] }> {
  const [first] = nodes
  if (first === undefined) throw new Error('there is no node')
  const receiver = await startLedgerReceiver({ rejectEvery: 4 })
  await makeShop(first, operator, slug)
  const endpoint = await callApi(first, operator, `POST /v1/shops/${slug}/webhooks`, { body: { url: receiver.url } })
  expect(endpoint.status).toBe(200)
  let turn = 0
  const stream = streamOrders(() => nodes[turn++ % nodes.length] ?? first, operator, slug)
  const work = async () => {
    const target = stream.events.size + eventsBetween
    await until(() => (stream.events.size >= target ? true : undefined))
  }
  await work()
  for (const byMs of jumps) {
    await jump(byMs)
    await work()
  }
  await stream.stop()
  await endLeases()
  const { receipts } = receiver
  const missing = () => [...stream.events].filter((event) => !receipts.has(event))
  await until(() => (missing().length === 0 ? true : undefined)).catch(() => {})
  expect(missing(), 'accepted, and not received while the clock is right').toEqual([])
  expect([...stream.refused], 'not accepted').toEqual([])
  expect([...receipts.values()].filter(({ ids }) => ids.size !== 1)).toEqual([])
  return { repeated: [...receipts].filter(([, { times }]) => times.length > 1).map(([event]) => event) }
}
