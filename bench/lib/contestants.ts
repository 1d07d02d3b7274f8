import pg from 'pg'
import { call } from './call.ts'
import { shippedOrder } from './dataset.ts'
import { createOwnDatabase } from './own-database.ts'
import { sendAndWait, startProcessOn } from './processes.ts'
import { needNewerNode, type QueueName, type QueueSettings } from './queue-server.ts'
import { type RunningService, startServiceProcess } from './service.ts'

/** Something that accepts events over HTTP and delivers them. */
export interface Contestant {
  port: number
  /** Prepares a new shop for a round, and returns its slug and tracking numbers. */
  prepare(round: number, parcels: number): Promise<{ slug: string; numbers: string[] }>
  /** Refreshes the planner's statistics, which a server has after a while. */
  settle(): Promise<void>
  /** Starts the worker. Before this, events are accepted only. */
  beginDelivering(): Promise<void>
  stop(): Promise<void>
}

/** The service in two processes, of which the second delivers, or in one process that does both from the start. */
export async function openDoorstep(
  store: Parameters<typeof startServiceProcess>[0],
  receiverUrl: string,
  role: 'all' | 'api' = 'all',
): Promise<Contestant> {
  const service = await startServiceProcess(store, role)
  let worker: RunningService | undefined
  return {
    port: service.port,
    prepare: (round, parcels) => prepareShop(service.port, receiverUrl, round, parcels),
    // The embedded store refreshes its statistics by itself within ten seconds; the round waits for that.
    settle: () =>
      'DATABASE_URL' in store ? analyze(store.DATABASE_URL) : new Promise((resolve) => setTimeout(resolve, 22_000)),
    async beginDelivering() {
      worker = role === 'api' ? await startServiceProcess(store, 'worker') : undefined
    },
    async stop() {
      await service.stop()
      await worker?.stop()
    },
  }
}

async function prepareShop(
  port: number,
  receiverUrl: string,
  round: number,
  parcels: number,
): Promise<{ slug: string; numbers: string[] }> {
  const slug = `bench-${round}`
  await call(port, 'POST', '/v1/shops', { name: slug, slug })
  const numbers = Array.from({ length: parcels }, (_, index) => `${slug}-${index}`)
  for (let from = 0; from < parcels; from += 500) {
    await call(port, 'PUT', `/v1/shops/${slug}/orders/bulk`, numbers.slice(from, from + 500).map(shippedOrder))
  }
  await call(port, 'POST', `/v1/shops/${slug}/webhooks`, { url: `${receiverUrl}/${slug}` })
  return { slug, numbers }
}

export async function openQueue(name: QueueName, settings: QueueSettings): Promise<Contestant> {
  const node = needNewerNode.includes(name) ? (process.env.BENCH_NODE ?? process.execPath) : process.execPath
  const { child, ready } = startProcessOn(node, './queue-server.ts', name, JSON.stringify(settings))
  const { port } = (await ready) as { port: number }
  return {
    port,
    prepare: async (round, parcels) => ({
      slug: 'bench',
      numbers: Array.from({ length: parcels }, (_, index) => `${round}-${index}`),
    }),
    settle: () => analyze(settings.databaseUrl),
    async beginDelivering() {
      await sendAndWait(child, { work: true })
    },
    async stop() {
      child.kill('SIGKILL')
    },
  }
}

/** The payload that we send for such an event, so that the others send the same. */
export async function examplePayload(server: string, receiverUrl: string): Promise<string> {
  const own = await createOwnDatabase(server, '_payload')
  const service = await startServiceProcess({ DATABASE_URL: own.url })
  try {
    await call(service.port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
    await call(service.port, 'PUT', '/v1/shops/bench/orders/bulk', [shippedOrder('{number}')])
    const made = await call(service.port, 'POST', '/v1/shops/bench/webhooks', { url: receiverUrl })
    const { uuid } = (await made.json()) as { uuid: string }
    await call(service.port, 'POST', '/v1/shops/bench/shipment-events?notify=true', {
      id: '{number}',
      event_name: 'PARCEL_DISPATCHED',
    })
    const listed = await call(service.port, 'GET', `/v1/shops/bench/webhooks/${uuid}/deliveries`)
    const [{ uuid: id }] = (await listed.json()) as [{ uuid: string }]
    const delivery = await call(service.port, 'GET', `/v1/shops/bench/deliveries/${id}`)
    return JSON.stringify(((await delivery.json()) as { payload: unknown }).payload)
  } finally {
    await service.stop()
    await own.drop()
  }
}

async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze').finally(() => client.end())
}
