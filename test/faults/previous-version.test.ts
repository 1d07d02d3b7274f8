import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keptVersions, unpackPreviousVersion } from '../harness/kept-versions.ts'
import { upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { createPostgresDatabase } from '../harness/prepared-stores.ts'
import { callApi, makeFolder, makeShop, operator, type RunningProcess, start } from '../harness/process.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'
const [previous] = keptVersions('versions')

describe.skipIf(reason !== '')(`version ${previous} beside this one${reason}`, () => {
  it('goes on working while this one migrates its store and after, and everything is sent once', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const databaseUrl = await createPostgresDatabase()
    const settings = {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: 'the-key-of-both-versions',
      ADMIN_API_KEY: operator.apiKey,
      LOG_LEVEL: 'error',
    }
    const program = unpackPreviousVersion(join(makeFolder(), 'program'))
    const old = await start({ ...settings, DATA_DIR: makeFolder() }, { program })
    await makeShop(old, operator, 'rolling')
    const endpoint = await callApi(old, operator, 'POST /v1/shops/rolling/webhooks', { body: { url: receiver.url } })
    expect(endpoint.status).toBe(200)

    const traffic = startTraffic()
    traffic.sendTo(old)
    await until(() => (traffic.accepted.size > 20 ? true : undefined))
    const current = await start({ ...settings, DATA_DIR: makeFolder() })
    const migratedAt = new Date()
    // Requests that wait for a table in the moment of its migration may fail; they are to be repeated.
    const [...inThatMoment] = traffic.failed.splice(0)
    expect(inThatMoment.filter((failure) => !/500|503/.test(failure))).toEqual([])
    traffic.sendTo(current)
    const before = traffic.accepted.size
    await until(() => (traffic.accepted.size > before + 60 ? true : undefined))

    // An operator and a merchant work meanwhile, on either node.
    for (const [index, node] of [old, current].entries()) {
      await makeShop(node, operator, `made-${index}`)
      const made = await callApi(node, operator, `POST /v1/shops/made-${index}/webhooks`, {
        body: { url: receiver.url },
      })
      expect(made.status).toBe(200)
    }
    for (const node of [old, current]) {
      for (const shop of ['rolling', 'made-0', 'made-1']) {
        for (const path of ['', '/settings', '/webhooks', '/orders', '/shipments', '/claims', '/campaigns']) {
          const response = await callApi(node, operator, `GET /v1/shops/${shop}${path}`)
          expect(response.status, `${path} ${JSON.stringify(response.body)}`).toBe(200)
        }
      }
    }
    await traffic.stop()
    await expectEachOnce(traffic.accepted, receiver)
    expect(traffic.failed).toEqual([])
    expect(old.complaints()).toBe('')

    for (const node of [old, current]) {
      node.child.kill('SIGTERM')
      expect(await node.ended).toEqual({ code: 0, signal: null })
    }
    // The older node would repeat attempts that it could not record during the migration half a minute later.
    expect(await countPending(databaseUrl, migratedAt)).toBe(0)
  })
})

/** Orders with a parcel, an event for each, and its page: posted to the nodes in turn. */
function startTraffic() {
  const nodes: RunningProcess[] = []
  const accepted = new Set<string>()
  const failed: string[] = []
  let isStopped = false
  let number = 0
  const post = async (): Promise<void> => {
    while (!isStopped) {
      number += 1
      const node = nodes[number % nodes.length]
      if (node === undefined) await new Promise((resolve) => setTimeout(resolve, 10))
      else await placeOrder(node, `R${number}`)
    }
  }
  const placeOrder = async (node: RunningProcess, parcel: string) => {
    const call = async (method: string, path: string, body: unknown) => {
      const response = await callApi(node, operator, `${method} /v1/shops/rolling${path}`, { body })
      if (response.status !== 200) failed.push(`${nodes.indexOf(node)} ${path} ${JSON.stringify(response)}`)
      return response
    }
    const order = upsertOf(parcel, { order_placed_at: undefined }, [{ tracking_number: parcel }])
    if ((await call('PUT', '/orders', order)).status !== 200) return
    const event = { id: parcel, event_name: 'OUT_FOR_DELIVERY' }
    if ((await call('POST', '/shipment-events?notify=true', event)).status === 200) accepted.add(parcel)
    const { status, body } = await call('POST', '/orders/trackpage-url', { id: parcel })
    if (status !== 200) return
    // From the other node: both read the links of both.
    const other = nodes.find((candidate) => candidate !== node) ?? node
    const page = await fetch(`${other.url}${new URL((body as { url: string }).url).pathname}`)
    if (page.status !== 200) failed.push(`page ${page.status}`)
  }
  const posting = Promise.all([post(), post(), post()])
  return {
    accepted,
    failed,
    sendTo: (node: RunningProcess) => void nodes.push(node),
    async stop() {
      isStopped = true
      await posting
    },
  }
}

async function expectEachOnce(accepted: ReadonlySet<string>, receiver: Receiver): Promise<void> {
  const events = () =>
    receiver.received
      .map(({ body }) => body.event_data)
      .filter(({ event_name }) => event_name === 'OUT_FOR_DELIVERY')
      .map(({ tracking_number }) => String(tracking_number))
  await until(() => (new Set(events()).size >= accepted.size ? true : undefined))
  expect(events().sort()).toEqual([...accepted].sort())
}

function countPending(databaseUrl: string, createdSince: Date): Promise<number> {
  return count(databaseUrl, 'select 1 from deliveries where finished_at is null and created_at >= $1', [createdSince])
}

async function count(databaseUrl: string, query: string, values: unknown[] = []): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(query, values)).rowCount ?? -1
  } finally {
    await client.end()
  }
}
