import { cpus } from 'node:os'
import { call } from './lib/call.ts'
import { shippedOrder } from './lib/dataset.ts'
import type { NoteReceipts, Receipts } from './lib/note-receipts.ts'
import { createOwnDatabase } from './lib/own-database.ts'
import type { Accepted, PacedEvents } from './lib/pace-events.ts'
import { nextMessage, sendAndWait, startProcess } from './lib/processes.ts'
import { startServiceProcess } from './lib/service.ts'
import { printTable } from './table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const shopCount = 50
const endpointsPerShop = 20
/** How many of the 20 endpoints of each shop accept requests and never respond: 100 of 1,000. */
const hangingPerShop = 2
const serverUrl = process.env.BENCH_DATABASE_URL
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is missing: latency is measured on PostgreSQL.')

console.log(`Node ${process.version}, ${cpus().length} cores, ${seconds} s of events in each row`)
const own = await createOwnDatabase(serverUrl)
const service = await startServiceProcess({ DATABASE_URL: own.url })
const receiver = startProcess('./note-receipts.ts')
const sender = startProcess('./pace-events.ts')
try {
  const { port } = (await receiver.ready) as { port: number }
  await sender.ready
  const receiverUrl = `http://127.0.0.1:${port}`
  const one = await makeShop('one', receiverUrl, 1, 200 * (seconds + 2))
  // Warm-up.
  await measure({ shops: [one], perSecond: 200, seconds: 2, hang: [] })
  const rows = [
    ['1 endpoint, 200 events per second', ...(await measure({ shops: [one], perSecond: 200, seconds, hang: [] }))],
  ]

  const shops: Shop[] = []
  const perSecond = 20
  const parcels = Math.ceil((perSecond * (2 * seconds + 6)) / shopCount) + 3
  for (let index = 0; index < shopCount; index += 1) {
    shops.push(await makeShop(`many-${index}`, receiverUrl, endpointsPerShop, parcels))
  }
  await measure({ shops, perSecond, seconds: 3, hang: [] })
  const calm = await measure({ shops, perSecond, seconds, hang: [] })
  rows.push([`${shopCount * endpointsPerShop} endpoints, 400 deliveries per second`, ...calm])
  const hang = shops.flatMap(({ paths }) => paths.slice(0, hangingPerShop))
  // All endpoints share one origin: when some begin to hang, they occupy connections of the others, once.
  await measure({ shops, perSecond, seconds: 3, hang })
  const troubled = await measure({ shops, perSecond, seconds, hang })
  rows.push([`the same, ${hang.length} of them hanging: the others`, ...troubled])
  console.log()
  printTable(['what', 'p50 ms', 'p99 ms', 'deliveries'], rows)
  console.log(
    `\np99 with hanging endpoints relative to all healthy: ${(Number(troubled[1]) / Number(calm[1])).toFixed(2)}`,
  )
} finally {
  receiver.child.kill()
  sender.child.kill()
  await service.stop()
  await own.drop()
}

interface Shop {
  slug: string
  paths: string[]
  /** Parcels that have no event yet. */
  numbers: string[]
}

async function makeShop(slug: string, receiverUrl: string, endpoints: number, parcels: number): Promise<Shop> {
  await call(service.port, 'POST', '/v1/shops', { name: slug, slug })
  const numbers = Array.from({ length: parcels }, (_, index) => `${slug}-${index}`)
  for (let from = 0; from < parcels; from += 500) {
    await call(service.port, 'PUT', `/v1/shops/${slug}/orders/bulk`, numbers.slice(from, from + 500).map(shippedOrder))
  }
  const paths = Array.from({ length: endpoints }, (_, index) => `/${slug}/${index}`)
  for (const path of paths) {
    await call(service.port, 'POST', `/v1/shops/${slug}/webhooks`, { url: `${receiverUrl}${path}` })
  }
  return { slug, paths, numbers }
}

/** From accepted (the response has reached the client) to received (the request has reached the receiver). */
async function measure(wanted: {
  shops: Shop[]
  perSecond: number
  seconds: number
  hang: string[]
}): Promise<string[]> {
  const events = Array.from({ length: wanted.perSecond * wanted.seconds }, (_, index) => {
    const shop = wanted.shops[index % wanted.shops.length] as Shop // within its length
    const trackingNumber = shop.numbers.pop()
    if (trackingNumber === undefined) throw new Error(`${shop.slug} has no parcel left`)
    return { slug: shop.slug, trackingNumber, eventName: 'PARCEL_DISPATCHED', paths: shop.paths }
  })
  const hanging = new Set(wanted.hang)
  const count = events.reduce((sum, { paths }) => sum + paths.filter((path) => !hanging.has(path)).length, 0)
  await sendAndWait(receiver.child, { count, hang: wanted.hang } satisfies NoteReceipts)
  const received = nextMessage(receiver.child)
  const paced: PacedEvents = { port: service.port, perSecond: wanted.perSecond, events }
  const { acceptedAt, failure } = (await sendAndWait(sender.child, paced)) as Accepted
  if (failure !== undefined) throw new Error(failure)
  const { receipts } = (await received) as Receipts
  const accepted = new Map(acceptedAt)
  const latencies = receipts
    .map(([, number, at]) => Math.max(0, at - (accepted.get(number) ?? Number.NaN)))
    .sort((left, right) => left - right)
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? Number.NaN).toFixed(1)
  return [at(0.5), at(0.99), String(receipts.length)]
}
