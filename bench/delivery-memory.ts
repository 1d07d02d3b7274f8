import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import { nextMessage, sendAndWait, startProcess } from './lib/processes.ts'
import type { EventsToSend } from './lib/send-events.ts'
import { startServiceProcess } from './lib/service.ts'
import { printTable } from './table.ts'

const total = Number(process.env.BENCH_DELIVERIES ?? 1_000_000)
const steps = 10
const endpoints = 20
const eventNames = [
  'PARCEL_DISPATCHED',
  'ARRIVED_AT_SORTING_CENTER',
  'TRANSPORT_DEPARTED',
  'OUT_FOR_DELIVERY',
  'SUCCESSFULLY_DELIVERED',
]
const parcelsPerStep = Math.ceil(total / steps / endpoints / eventNames.length)
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is missing: memory is measured on PostgreSQL.')

console.log(`Node ${process.version}, ${cpus().length} cores, ${total} deliveries to ${endpoints} endpoints`)
const own = await createOwnDatabase(serverUrl)
const service = await startServiceProcess({ DATABASE_URL: own.url })
const receiver = startProcess('./count-requests.ts')
const sender = startProcess('./send-events.ts')
try {
  const { port } = (await receiver.ready) as { port: number }
  await call(service.port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
  for (let index = 0; index < endpoints; index += 1) {
    await call(service.port, 'POST', '/v1/shops/bench/webhooks', { url: `http://127.0.0.1:${port}/${index}` })
  }
  const rows: string[][] = []
  for (let step = 1; step <= steps; step += 1) {
    const startedAt = Date.now()
    await deliver(step)
    const delivered = step * parcelsPerStep * endpoints * eventNames.length
    const rate = ((parcelsPerStep * endpoints * eventNames.length) / (Date.now() - startedAt)) * 1_000
    rows.push([String(delivered), rate.toFixed(0), residentMb(service.pid).toFixed(0)])
    console.log(rows.at(-1)?.join('  '))
  }
  console.log()
  printTable(['delivered', 'per second', 'resident memory of the service, MB'], rows)
} finally {
  receiver.child.kill()
  sender.child.kill()
  await service.stop()
  await own.drop()
}

async function deliver(step: number): Promise<void> {
  const numbers = Array.from({ length: parcelsPerStep }, (_, index) => `${step}-${index}`)
  // Creating the orders publishes events too. Their deliveries are not measured, so they have to end first.
  await expect(numbers.length * endpoints, async () => {
    for (let from = 0; from < numbers.length; from += 250) {
      await call(service.port, 'PUT', '/v1/shops/bench/orders/bulk', numbers.slice(from, from + 250).map(shippedOrder))
    }
  })
  await expect(numbers.length * endpoints * eventNames.length, async () => {
    for (const eventName of eventNames) {
      const events: EventsToSend = {
        port: service.port,
        slug: 'bench',
        trackingNumbers: numbers,
        eventName,
        connections: 16,
      }
      const { failure } = (await sendAndWait(sender.child, events)) as { failure: string | undefined }
      if (failure !== undefined) throw new Error(failure)
    }
  })
}

/** Does the work and waits until it has led to that many deliveries. */
async function expect(count: number, work: () => Promise<void>): Promise<void> {
  await sendAndWait(receiver.child, { count })
  const received = nextMessage(receiver.child)
  await work()
  await received
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1_024
}
