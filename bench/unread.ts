import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Checkout, checkoutsToCompare, ratio, startCheckout } from './lib/checkouts.ts'
import { type Answered, headOf, loopbackOf, openSocket, quantileMs, request } from './lib/networks.ts'
import { residentMb } from './lib/proc.ts'
import { nextMessage, startProcess } from './lib/processes.ts'
import type { Reading } from './lib/read-documents.ts'
import { printTable } from './table.ts'

// Visitors of /docs cost memory if they do not read, and time of /healthz if 100 of them read at once. Linux only.
const path = '/docs'
const visitors = [60, 300]
const networks = 20
/** So many requests per connection, because the system takes the first responses itself. */
const requestsEach = 4
/** Memory has stopped growing if it has not for so long. */
const settledMs = 4_000
const watchedMs = 30_000
const readers = 100
const askEveryMs = 20
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

interface Health {
  idle: Answered[]
  /** While the document is made. */
  first: Answered[]
  later: Answered[]
}

const [before, after] = checkoutsToCompare()
const [base, now] = [await measure(before), await measure(after)]
const healthRows: [string, keyof Health][] = [
  ['without readers', 'idle'],
  [`${readers} readers, first time`, 'first'],
  [`${readers} readers, later`, 'later'],
]
printTable(
  ['what', 'before', 'after', 'after, times'],
  [
    ...visitors.map((count, index) =>
      rowOf(`MB more, ${count} visitors who do not read`, base.grownMb[index] ?? 0, now.grownMb[index] ?? 0),
    ),
    ...healthRows.map(([what, name]) =>
      rowOf(`p99 of /healthz, ${what}, ms`, quantileMs(base.health[name], 0.99), quantileMs(now.health[name], 0.99)),
    ),
  ],
)

function rowOf(what: string, before: number, after: number): string[] {
  return [what, before.toFixed(0), after.toFixed(0), ratio(after, before)]
}

async function measure(checkout: Checkout): Promise<{ grownMb: number[]; health: Health }> {
  const grownMb: number[] = []
  for (const count of visitors) grownMb.push(await measureGrowth(checkout, count))
  return { grownMb, health: await measureHealth(checkout) }
}

/** How much more memory the service has at most while visitors wait. */
async function measureGrowth(checkout: Checkout, count: number): Promise<number> {
  const service = await startCheckout(checkout)
  const sockets: Socket[] = []
  try {
    // The document is made once, for everybody.
    await request(service.port, { method: 'GET', path })
    const idleMb = residentMb(service.pid) ?? 0
    for (let index = 0; index < count; index += 1) {
      const socket = await openSocket(service.port, loopbackOf(index % networks))
      socket.pause().write(headOf('GET', path).repeat(requestsEach))
      sockets.push(socket)
    }
    const startedAt = performance.now()
    let most = { mb: idleMb, atMs: startedAt }
    for (
      let atMs = startedAt;
      atMs < Math.min(startedAt + watchedMs, most.atMs + settledMs);
      atMs = performance.now()
    ) {
      const mb = residentMb(service.pid) ?? 0
      if (mb > most.mb + 1) most = { mb, atMs }
      await pause(100)
    }
    return most.mb - idleMb
  } finally {
    for (const socket of sockets) socket.destroy()
    await service.stop()
  }
}

async function measureHealth(checkout: Checkout): Promise<Health> {
  const service = await startCheckout(checkout)
  const { child, ready } = startProcess('./read-documents.ts')
  // At regular times: one that waited for the one before would not see how long nobody had a response.
  const askUntil = async (end: Promise<unknown>): Promise<Answered[]> => {
    const health: Promise<Answered>[] = []
    const ask = () => health.push(request(service.port, { method: 'GET', path: '/healthz' }))
    const timer = setInterval(ask, askEveryMs)
    await end
    clearInterval(timer)
    return Promise.all(health)
  }
  const read = (): Promise<unknown> => {
    child.send({ port: service.port, path, count: readers } satisfies Reading)
    return nextMessage(child)
  }
  try {
    await ready
    const idle = await askUntil(pause(5_000))
    const first = await askUntil(read())
    const later: Answered[] = []
    for (let round = 0; round < rounds; round += 1) later.push(...(await askUntil(read())))
    return { idle, first, later }
  } finally {
    child.kill()
    await service.stop()
  }
}
