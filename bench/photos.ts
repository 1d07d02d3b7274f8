import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { hostilePictures, largePictures } from '../test/harness/hostile-pictures.ts'
import { multipart } from '../test/harness/multipart.ts'
import { fieldsOf, withFields } from '../test/harness/page-form.ts'
import { call } from './lib/call.ts'
import { type Checkout, checkoutsToCompare, ratio, startCheckout } from './lib/checkouts.ts'
import { shippedOrder } from './lib/dataset.ts'
import { type Answered, loopbackOf, quantileMs, request } from './lib/networks.ts'
import { clearPeak, cpuSeconds, peakMbOf, readText, residentMb } from './lib/proc.ts'
import { authorization, type RunningService } from './lib/service.ts'
import { printTable } from './table.ts'

/*
 * The cost of photos that are sent with a claim form, and the effect of 20 at once on requests, images and deliveries.
 */

const slug = 'photos'
const photoCount = 20
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const everyMs = 50
/** A photo that takes longer than this counts as failed. */
const limitMs = 30_000
const arriving = 'an interlaced 16-bit PNG'
const probeCount = Math.ceil((2 * seconds * 1_000) / everyMs) + 10

console.log(`Node ${process.version}, ${cpus().length} cores`)
const small = async () => readFileSync(new URL('../src/installation/demo/pictures/logo.png', import.meta.url))
const pictures = await makePictures({ 'a small picture': small, ...hostilePictures, ...largePictures })
const costs = Object.keys(pictures).map((name) => [name])
const rows: string[][] = []
for (const checkout of checkoutsToCompare()) await measure(checkout)
console.log(
  '\nOne photo: status, processor time of the service, growth of its memory; processor time and peak of the decoder',
)
printTable(['photo', 'before', 'ms', 'MB', 'after', 'ms', 'MB', 'decoder ms', 'decoder MB'], costs)
console.log(`\np99 in ms, of ${seconds} s each: without photos, and while ${photoCount} times ${arriving} arrive`)
printTable(['checkout', 'what', 'calm', 'photos', 'ratio', 'failed'], rows)

async function makePictures(make: Record<string, () => Promise<Buffer>>): Promise<Record<string, Buffer>> {
  const made: Record<string, Buffer> = {}
  for (const [name, picture] of Object.entries(make)) made[name] = await picture()
  return made
}

async function measure(checkout: Checkout): Promise<void> {
  const service = await startCheckout(checkout, { WEBHOOK_ALLOW_PRIVATE: '1' })
  const receiver = await startReceiver()
  try {
    const { port } = service
    await call(port, 'POST', '/v1/shops', { name: slug, slug })
    const claims = Array.from({ length: Object.keys(pictures).length + photoCount }, (_, index) => `claim-${index}`)
    const probes = Array.from({ length: probeCount }, (_, index) => `probe-${index}`)
    await call(port, 'PUT', `/v1/shops/${slug}/orders/bulk`, claims.map(shippedOrder))
    for (let from = 0; from < probes.length; from += 400) {
      await call(port, 'PUT', `/v1/shops/${slug}/orders/bulk`, probes.slice(from, from + 400).map(shippedOrder))
    }
    // The name has to be looked up, as those of real receivers.
    await call(port, 'POST', `/v1/shops/${slug}/webhooks`, { url: `http://localhost:${receiver.port}/` })
    const addresses = await Promise.all(claims.map((number) => claimFormOf(port, number)))
    for (const [index, bytes] of Object.values(pictures).entries()) {
      const cost = await costOf(service, checkout, addresses.shift() ?? '', bytes)
      console.log(checkout.name, ...(costs[index]?.slice(0, 1) ?? []), ...cost)
      costs[index]?.push(...cost)
    }
    await pause(3_000)
    const image = await uploadImage(port)
    const calm = await probe(service, image, probes, receiver)
    const photos = addresses.map(async (address, network) => {
      await pause(1_000)
      await send(port, address, pictures[arriving] ?? Buffer.alloc(0), loopbackOf(network))
    })
    void Promise.allSettled(photos)
    const busy = await probe(service, image, probes, receiver)
    for (const what of ['session', 'image', 'delivery'] as const) {
      const [before, during] = [quantileMs(calm[what], 0.99), quantileMs(busy[what], 0.99)]
      const failed = busy[what].filter(({ status }) => status !== 200).length
      rows.push([
        checkout.name,
        what,
        before.toFixed(1),
        during.toFixed(1),
        ratio(during, before),
        `${failed} of ${busy[what].length}`,
      ])
    }
  } finally {
    receiver.close()
    const stopped = service.stop()
    // Photos that a checkout still decodes after the measurement do not matter.
    process.kill(service.pid, 'SIGKILL')
    await stopped
  }
}

async function claimFormOf(port: number, number: string): Promise<string> {
  const reply = await call(port, 'POST', `/v1/shops/${slug}/orders/trackpage-url`, { id: number })
  const { url } = (await reply.json()) as { url: string }
  return `${new URL(url).pathname}/claim`
}

async function send(port: number, address: string, photo: Buffer, from?: string): Promise<Answered> {
  const page = await (await fetch(`http://127.0.0.1:${port}${address}`)).text()
  const filled = withFields(fieldsOf(page), { reason: 'damage', description: 'Crushed.' })
  const file = { name: 'photos', content: photo, filename: 'photo.png', contentType: 'image/png' }
  const { payload = '', headers = {} } = multipart([...filled, file])
  return request(port, { method: 'POST', path: address, headers, body: payload, from })
}

async function costOf(service: RunningService, { name }: Checkout, address: string, photo: Buffer): Promise<string[]> {
  const { port, pid } = service
  clearPeak(pid)
  const [rssMb, cpu] = [residentMb(pid) ?? 0, cpuSeconds(pid)]
  const decoder = watchDecoder(pid)
  const { status } = await send(port, address, photo)
  const { ms, peakMb } = decoder.stop()
  const spentMs = (cpuSeconds(pid) - cpu) * 1_000
  const own = [String(status), spentMs.toFixed(0), (peakMbOf(pid) - rssMb).toFixed(0)]
  return name === 'before' ? own : [...own, ms.toFixed(0), peakMb.toFixed(0)]
}

/** Watches the decoder's time and memory from now on, if there is a decoder. */
function watchDecoder(pid: number): { stop(): { ms: number; peakMb: number } } {
  const starts = new Map<number, number>()
  const ends = new Map<number, number>()
  let peakMb = 0
  const sample = () => {
    for (const child of decodersOf(pid)) {
      if (!starts.has(child)) {
        // One that is new has spent everything on this photo.
        starts.set(child, isFirst ? cpuSeconds(child) : 0)
        clearPeak(child)
      }
      ends.set(child, cpuSeconds(child))
      peakMb = Math.max(peakMb, peakMbOf(child))
    }
  }
  let isFirst = true
  sample()
  isFirst = false
  const timer = setInterval(sample, 10)
  return {
    stop() {
      sample()
      clearInterval(timer)
      const seconds = [...ends].reduce((sum, [child, end]) => sum + end - (starts.get(child) ?? 0), 0)
      return { ms: seconds * 1_000, peakMb }
    },
  }
}

function decodersOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readText(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.filter((child) => readText(`/proc/${child}/cmdline`).includes('decoder-child.js'))
}

async function uploadImage(port: number): Promise<string> {
  const image = new FormData()
  image.set('image', new Blob([await small()]))
  const path = `http://127.0.0.1:${port}/v1/shops/${slug}/images/logo`
  const response = await fetch(path, { method: 'POST', headers: { authorization }, body: image })
  return new URL(((await response.json()) as { url: string }).url).pathname
}

interface Probed {
  session: Answered[]
  image: Answered[]
  delivery: Answered[]
}

/** Requests of each kind at a fixed pace, whether or not earlier ones have ended. */
async function probe({ port }: RunningService, image: string, numbers: string[], receiver: Receiver): Promise<Probed> {
  const probed: Probed = { session: [], image: [], delivery: [] }
  const pending: Promise<unknown>[] = []
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const number = numbers.pop() ?? ''
    const headers = { authorization }
    pending.push(
      limited(request(port, { method: 'GET', path: '/v1/session', headers })).then((got) => probed.session.push(got)),
      limited(request(port, { method: 'GET', path: image })).then((got) => probed.image.push(got)),
      limited(deliver(port, number, receiver)).then((got) => probed.delivery.push(got)),
    )
    await pause(everyMs)
  }
  await Promise.all(pending)
  return probed
}

function limited(answered: Promise<Answered>): Promise<Answered> {
  return Promise.race([answered, pause(limitMs).then(() => ({ status: 0, ms: limitMs }))])
}

/** From the request that publishes an event to the request that the receiver gets. */
async function deliver(port: number, number: string, receiver: Receiver): Promise<Answered> {
  const startedAt = performance.now()
  const received = receiver.waitFor(number)
  const body = JSON.stringify({ id: number, event_name: 'PARCEL_DISPATCHED' })
  const headers = { authorization, 'content-type': 'application/json' }
  const path = `/v1/shops/${slug}/shipment-events?notify=true`
  const { status } = await request(port, { method: 'POST', path, headers, body })
  if (status === 200) await received
  return { status, ms: performance.now() - startedAt }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

async function startReceiver() {
  const waiting = new Map<string, () => void>()
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    response.end()
    waiting.get(/probe-\d+/.exec(text)?.[0] ?? '')?.()
  }).listen(0)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    waitFor: (number: string) => new Promise<void>((resolve) => waiting.set(number, resolve)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
