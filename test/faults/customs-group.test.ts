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
const delay = 'shipment_carrier_delay'
const customs = 'shipment_customs_action_needed'
const payment = 'HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT'
const isDelay = { field: 'event_data.event_group', operator: 'eq', value: delay }

describe.skipIf(reason !== '')(`events of customs, with version ${previous} beside this one${reason}`, () => {
  it('are never sent by the older version, and once by this one', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { old, query, settings } = await startOld()
    const call = callerOf(old)
    await call('POST', '/webhooks', { url: `${receiver.url}/all` })
    await call('POST', '/webhooks', { url: `${receiver.url}/delays`, conditions: [isDelay] })
    await call('POST', '/automations', {
      name: 'After a delay',
      trigger: { events: ['shipments'] },
      conditions: [isDelay],
      actions: [{ type: 'webhook', url: `${receiver.url}/automation` }],
    })
    await call('PUT', '/mail/templates/shipment_carrier_delay/en', { subject: 'Late: {order_number}' })
    await call('PATCH', '/settings/triggers/klaviyo', { status: true })
    for (const parcel of ['A', 'B']) await call('PUT', '/orders', upsertOf(parcel, {}, [{ tracking_number: parcel }]))
    // The older version knows no other group for it.
    await call('POST', '/shipment-events?notify=true', { id: 'A', event_name: payment })
    await until(() => (namesAt(receiver).length === 3 ? true : undefined))
    expect(namesAt(receiver)).toEqual([`/all ${delay}`, `/automation ${delay}`, `/delays ${delay}`])

    // It serves requests only: whatever is sent, the older version sends.
    const api = await start({ ...settings, ROLE: 'api', DATA_DIR: makeFolder() })
    await expectCopies(callerOf(api))
    receiver.received.splice(0)
    for (const parcel of ['A', 'B']) {
      await callerOf(api)('POST', '/shipment-events?notify=true', {
        id: parcel,
        event_name: payment,
        event_time: soon(),
      })
    }
    const [reserved] = await query(`select id from deliveries where event_group = $1 and target like '%-%'`, [customs])
    // A person of the shop wants it to be sent, by the older version.
    await callApi(old, operator, `POST /v1/shops/rolling/deliveries/${reserved?.id}/resend`)
    const [endpoint] = (await callerOf(old)('GET', '/webhooks')) as { uuid: string }[]
    for (const path of [`/webhooks/${endpoint?.uuid}/deliveries`, '/mail/templates', '/exceptions', '/automations']) {
      await callerOf(old)('GET', path)
    }
    // The older version sends what it may meanwhile, after two of its sweeps at least.
    for (const parcel of ['C', 'D', 'E']) {
      await callerOf(api)('PUT', '/orders', upsertOf(parcel, {}, [{ tracking_number: parcel }]))
      const before = namesAt(receiver).length
      await callerOf(api)('POST', '/shipment-events?notify=true', { id: parcel, event_name: 'DELAY_IN_TRANSPORT' })
      await until(() => (namesAt(receiver).length === before + 3 ? true : undefined))
    }
    expect(namesAt(receiver).filter((name) => name.endsWith(customs))).toEqual([])
    const untouched = await query(
      `select target, attempts, status from deliveries where event_group = $1 and (attempts > 0 or status <> 'pending')`,
      [customs],
    )
    expect(untouched).toEqual([])
    expect(
      await query(
        'select 1 from automation_runs join notifications on notifications.id = notification_id where event_group = $1',
        [customs],
      ),
    ).toEqual([])

    receiver.received.splice(0)
    const worker = await start({ ...settings, ROLE: 'worker', DATA_DIR: makeFolder() })
    await until(() => (namesAt(receiver).length >= 6 ? true : undefined))
    const ends = () => query(`select 1 from deliveries where event_group = $1 and finished_at is null`, [customs])
    await until(async () => ((await ends()).length === 0 ? true : undefined))
    // Both parcels, at both endpoints and by the automation, once each; one of them had been notified of the delay.
    expect(namesAt(receiver)).toEqual(
      ['/all', '/all', '/automation', '/automation', '/delays', '/delays'].map((path) => `${path} ${customs}`),
    )
    expect(await groupsOf(query, 'klaviyo')).toEqual([
      `A ${delay}`,
      `A ${customs}`,
      `B ${customs}`,
      `C ${delay}`,
      `D ${delay}`,
      `E ${delay}`,
    ])
    // Another one of the same parcel: receivers that are notified once per group are not again, whichever version records it.
    await callerOf(api)('POST', '/shipment-events?notify=true', { id: 'A', event_name: payment, event_time: soon(2) })
    await callerOf(old)('POST', '/shipment-events?notify=true', { id: 'A', event_name: payment, event_time: soon(3) })
    expect((await groupsOf(query, 'klaviyo')).filter((group) => group.startsWith('A '))).toEqual([
      `A ${delay}`,
      `A ${customs}`,
    ])

    expect(old.complaints()).toBe('')
    for (const node of [old, api, worker]) {
      node.child.kill('SIGTERM')
      expect(await node.ended).toEqual({ code: 0, signal: null })
    }
  })
})

async function startOld() {
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
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows
  return { old, settings, query }
}

type Query = Awaited<ReturnType<typeof startOld>>['query']

function callerOf(node: RunningProcess) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await callApi(node, operator, `${method} /v1/shops/rolling${path}`, { body })
    expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).toBe(200)
    return response.body
  }
}

async function expectCopies(call: ReturnType<typeof callerOf>): Promise<void> {
  const conditions = [{ field: 'event_data.event_group', operator: 'in', value: [delay, customs] }]
  expect(await call('GET', '/webhooks')).toContainEqual(expect.objectContaining({ conditions }))
  expect(await call('GET', '/automations')).toMatchObject([{ conditions }])
  expect(await call('GET', `/mail/templates/${customs}/en`)).toMatchObject({
    template: { subject: 'Late: {order_number}' },
  })
}

/** The paths of requests about delays and customs, with their groups. */
function namesAt({ received }: Receiver): string[] {
  const held = received.filter(({ body }) => [delay, customs].includes(body.event_data.event_group))
  return held.map(({ path, body }) => `${path} ${body.event_data.event_group}`).sort()
}

/** The groups of an integration's deliveries, with the parcels. */
async function groupsOf(query: Query, integration: string): Promise<string[]> {
  const rows = await query(
    `select shipments.tracking_number, deliveries.event_group from deliveries
     join shipments on shipments.id = deliveries.shipment_id where target = $1 and event_group = any($2)`,
    [integration, [delay, customs]],
  )
  return rows.map(({ tracking_number, event_group }) => `${tracking_number} ${event_group}`).sort()
}

/** Another time, so that it is another event. */
function soon(seconds = 1): string {
  return new Date(Date.now() - 60_000 + seconds * 1_000).toISOString()
}
