import { describe, expect, it } from 'vitest'
import { expectAllDelivered, makeStreamShop, streamEvents } from '../harness/event-stream.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { makeMailingShop, streamOrderMails } from '../harness/order-mails.ts'
import { until } from '../harness/patience.ts'
import {
  basic,
  type Cleanup,
  callApi,
  makeShop,
  makeStore,
  operator,
  type RunningProcess,
  sharedByTests,
  start,
} from '../harness/process.ts'
import { startReceiver } from '../harness/receiver.ts'

const kills = 20
/** The progress that is necessary before the next kill. */
const between = { events: 25, mails: 2 }
/** Two kills at least hit the import, each after it has made progress. */
const importedOrders = 3_000
const importingShop = 'imported'

describe(`process that is killed ${kills} times`, () => {
  const shared = sharedByTests(killWhileItWorks)

  it('delivers every accepted event', async () => {
    const { events, receiver } = shared()
    await expectAllDelivered(events, receiver)
  })

  it('loses no message to a customer, and repeats only those in flight, under the same Message-ID', async () => {
    const { mails, mailsBeforeKill } = shared()
    await mails.expectAllArrived(mailsBeforeKill)
  })

  it('creates every order of an import once', async () => {
    const { service, importId, importedBeforeKill } = shared()
    const inTheMiddle = importedBeforeKill.filter((count) => count > 0 && count < importedOrders)
    expect(inTheMiddle.length, `killed after ${importedBeforeKill.join(', ')} rows`).toBeGreaterThanOrEqual(2)
    const ended = await until(async () => {
      const record = await importOf(service, importId)
      return record.status === 'completed' ? record : undefined
    })
    const others = { updated: 0, unchanged: 0, failed: 0, problems: [] }
    expect(ended).toMatchObject({ rows: importedOrders, created: importedOrders, ...others })
    const { body } = await callApi(service, operator, `GET /v1/shops/${importingShop}/shipments?per_page=1`)
    expect(body).toMatchObject({ pagination: { total: importedOrders } })
  })
})

/** Kills a service that delivers events, sends mail and imports a file, and starts it again, each time in the middle of it. */
async function killWhileItWorks(cleanup: Cleanup) {
  const receiver = await startReceiver()
  cleanup(() => receiver.close())
  receiver.respond = () => ({ status: 200, afterMs: 10 })
  const server = await startMailServer()
  cleanup(() => server.close())
  const settings = {
    DATA_DIR: await makeStore(cleanup),
    WEBHOOK_RETRY_BASE_MS: '100',
    SMTP_RATE: '1000',
    LOG_LEVEL: 'warn',
  }
  let service = start(settings, { cleanup })
  await makeStreamShop(await service, operator, receiver)
  await makeMailingShop(await service, server)
  await makeShop(await service, operator, importingShop)
  const importId = await upload(await service)
  const events = streamEvents(() => service, operator)
  const mails = streamOrderMails(() => service, server)
  const [mailsBeforeKill, importedBeforeKill]: [number[], number[]] = [[], []]
  const work = async () => {
    const before = importedBeforeKill.at(-1) ?? 0
    const imported = await until(async () => {
      const { created, status } = await importOf(await service, importId)
      return created > before || status === 'completed' ? created : undefined
    })
    if (imported < importedOrders) return
    await Promise.all([
      events.until(events.accepted.size + between.events),
      server.until(server.mails.length + between.mails),
    ])
  }
  for (let kill = 0; kill < kills; kill += 1) {
    await work()
    const killed = await service
    importedBeforeKill.push((await importOf(killed, importId)).created)
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' })
    mailsBeforeKill.push(server.mails.length)
    // In the same folder and on the same port.
    service = start({ ...settings, PORT: String(killed.port) }, { cleanup })
  }
  await work()
  await Promise.all([events.stop(), mails.stop()])
  return { receiver, events, mails, mailsBeforeKill, importId, importedBeforeKill, service: await service }
}

interface ImportRecord {
  status: string
  created: number
}

async function importOf(service: RunningProcess, id: string): Promise<ImportRecord> {
  const { body } = await callApi(service, operator, `GET /v1/shops/${importingShop}/imports/${id}`)
  return body as ImportRecord // as its schema has it
}

async function upload(service: RunningProcess): Promise<string> {
  const rows = Array.from({ length: importedOrders }, (_, n) => `n${n},10115,T${n},"of two\nlines"`)
  const form = new FormData()
  form.append('file', new Blob([`order_number,zip_code,tracking_number,notes\n${rows.join('\n')}\n`]), 'orders.csv')
  const response = await fetch(`${service.url}/v1/shops/${importingShop}/imports/orders`, {
    method: 'POST',
    headers: { authorization: basic(operator) },
    body: form,
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }).id // as its schema has it
}
