import { describe, expect, it, onTestFinished } from 'vitest'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { accountAt } from '../harness/mail-shop.ts'
import { uniqueNumber, upsertOf } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { callApi, makeShop, makeStore, operator, type RunningProcess, start } from '../harness/process.ts'

const kills = 4
const mailsBetween = 60
const clients = 4
/** What a queue has in flight at most, and what has ended and is being recorded. */
const mostInFlight = 32
const slug = 'mailing'

describe('process that is killed while it sends e-mail', () => {
  it('loses no message, and repeats only those in flight, under the same Message-ID', async () => {
    const server = await startMailServer()
    onTestFinished(() => server.close())
    const settings = {
      DATA_DIR: await makeStore(),
      WEBHOOK_RETRY_BASE_MS: '100',
      SMTP_RATE: '1000',
      LOG_LEVEL: 'warn',
    }
    let service = start(settings)
    await prepare(await service, server)
    const orders = placeOrders(() => service)
    const arrivedBeforeKill: number[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      await server.until(server.mails.length + mailsBetween)
      service = killAndStart(await service, settings, () => arrivedBeforeKill.push(server.mails.length))
    }
    await server.until(server.mails.length + mailsBetween)
    await orders.stop()
    await expectAllArrived(server, orders.accepted, arrivedBeforeKill)
  })
})

async function prepare(service: RunningProcess, server: MailServer): Promise<void> {
  await makeShop(service, operator, slug)
  const set = async (method: string, path: string, body: unknown) =>
    expect(await callApi(service, operator, method, `/v1/shops/${slug}${path}`, body)).toMatchObject({ status: 200 })
  await set('PUT', '/keys/smtp', accountAt(server))
  await set('PATCH', '/settings/mail', { quiet_hours: { enabled: false } })
  await set('PATCH', '/settings/triggers/smtp', { status: true })
}

/** Places orders until it is stopped, each of a customer of its own. */
function placeOrders(service: () => Promise<RunningProcess>) {
  const accepted = new Set<string>()
  let isStopped = false
  const place = async (): Promise<void> => {
    while (!isStopped) {
      const number = uniqueNumber('K')
      const email_id = `customer-${number}@example.com`
      const order = upsertOf(number, { order_placed_at: undefined, email_id }, [{ tracking_number: number }])
      const path = `/v1/shops/${slug}/orders`
      const status = await callApi(await service(), operator, 'PUT', path, order).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) accepted.add(email_id)
      else await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const placing = Promise.all(Array.from({ length: clients }, place))
  return {
    accepted,
    async stop() {
      isStopped = true
      await placing
    },
  }
}

/** Restarts it in the same folder and on the same port. */
async function killAndStart(
  killed: RunningProcess,
  settings: Record<string, string>,
  onKilled: () => void,
): Promise<RunningProcess> {
  killed.child.kill('SIGKILL')
  expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' })
  onKilled()
  return start({ ...settings, PORT: String(killed.port) })
}

async function expectAllArrived(server: MailServer, accepted: Set<string>, arrivedBeforeKill: number[]): Promise<void> {
  const missing = () => {
    const arrived = new Set(server.mails.map(({ envelope }) => envelope.to[0]))
    return [...accepted].filter((address) => !arrived.has(address))
  }
  await until(() => (missing().length === 0 ? true : undefined)).catch(() => {})
  expect(missing(), 'accepted, and never mailed').toEqual([])

  const copies = new Map<string, number[]>()
  for (const [index, { envelope }] of server.mails.entries()) {
    const address = envelope.to[0] ?? ''
    copies.set(address, [...(copies.get(address) ?? []), index])
  }
  const repeated = [...copies.values()].filter((indexes) => indexes.length > 1)
  for (const [first = 0, ...others] of repeated) {
    for (const other of others) expect(server.mails[other]?.messageId).toBe(server.mails[first]?.messageId)
    const wasInFlight = arrivedBeforeKill.some((count) => first <= count && first >= count - mostInFlight)
    expect(wasInFlight, `message ${first} was repeated; killed after ${arrivedBeforeKill.join(', ')}`).toBe(true)
  }
  console.log(`${accepted.size} orders accepted, ${server.mails.length} messages, ${repeated.length} repeated`)
}
