import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { call } from './lib/call.ts'
import { type Checkout, checkoutsToCompare, ratio, startCheckout } from './lib/checkouts.ts'
import { shippedOrder } from './lib/dataset.ts'
import { type Answered, headOf, loopbackOf, openSocket, quantileMs, request } from './lib/networks.ts'
import { printTable } from './table.ts'

// Signed messages of a shop system, with and without 500 sockets from 20 networks that send their bodies slowly: on the route
// of these messages, on a page with a valid link, and on the look-up page. A socket that is closed is opened again.
const networks = 20
const sockets = Number(process.env.BENCH_SOCKETS ?? 500)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const messages = Number(process.env.BENCH_MESSAGES ?? 200)
const atOnce = 4
const reopenMs = 5_000
const nextByteMs = 5_000

const example = new URL('../test/conformance/shop-systems/shopify-order.json', import.meta.url)
const message = JSON.stringify({ ...JSON.parse(readFileSync(example, 'utf8')), note: 'x'.repeat(200_000) })

interface Target {
  port: number
  inbound: string
  claim: string
  lookup: string
  headers: Record<string, string>
}

const rows: string[][] = []
for (const checkout of checkoutsToCompare()) rows.push(...(await measure(checkout)))
printTable(['checkout', `${sockets} slow sockets`, 'p50 ms', 'p99 ms', 'p99, times', 'rejected'], rows)

async function measure(checkout: Checkout): Promise<string[][]> {
  const service = await startCheckout(checkout)
  try {
    const target = await prepare(service.port)
    await sendMessages(target)
    const quiet: Answered[] = []
    const attacked: Answered[] = []
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(...(await sendMessages(target)))
      const attack = await startAttack(target)
      attacked.push(...(await sendMessages(target)))
      attack.stop()
      // The service notices that they are closed.
      await pause(1_000)
    }
    return [rowOf(checkout, 'none', quiet, quiet), rowOf(checkout, 'yes', attacked, quiet)]
  } finally {
    await service.stop()
  }
}

/** Only those that were accepted count for the times. */
function rowOf({ name }: Checkout, attack: string, answered: Answered[], base: Answered[]): string[] {
  const accepted = answered.filter(({ status }) => status === 200)
  const rejected = `${answered.length - accepted.length} of ${answered.length}`
  if (accepted.length === 0) return [name, attack, '', '', '', rejected]
  const [p50Ms, p99Ms] = [quantileMs(accepted, 0.5), quantileMs(accepted, 0.99)]
  return [name, attack, p50Ms.toFixed(1), p99Ms.toFixed(1), ratio(p99Ms, quantileMs(base, 0.99)), rejected]
}

async function prepare(port: number): Promise<Target> {
  await call(port, 'POST', '/v1/shops', { name: 'bench', slug: 'bench' })
  await call(port, 'PUT', '/v1/shops/bench/orders/bulk', [shippedOrder('1')])
  const [order] = (await (await call(port, 'GET', '/v1/shops/bench/orders')).json()) as [{ order_number: string }]
  const link = await call(port, 'POST', '/v1/shops/bench/orders/trackpage-url', { id: order.order_number })
  const { url } = (await link.json()) as { url: string }
  const secret = await call(port, 'GET', '/v1/shops/bench/woocommerce/webhook-config')
  const { webhook_secret: key } = (await secret.json()) as { webhook_secret: string }
  return {
    port,
    inbound: '/v1/inbound/bench/shopify',
    claim: `${new URL(url).pathname}/claim`,
    lookup: '/track/bench',
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'orders/create',
      'x-shopify-hmac-sha256': createHmac('sha256', key).update(message).digest('base64'),
    },
  }
}

async function sendMessages({ port, inbound: path, headers }: Target): Promise<Answered[]> {
  const answered: Answered[] = []
  const send = async () => {
    for (let index = 0; index < messages / atOnce; index += 1) {
      answered.push(await request(port, { method: 'POST', path, headers, body: message }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  return answered
}

async function startAttack({ port, inbound, claim, lookup }: Target): Promise<{ stop(): void }> {
  const heads = [
    headOf('POST', inbound, { 'content-type': 'application/json', 'content-length': 5_000_000 }),
    headOf('POST', inbound, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
    headOf('POST', claim, { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 7_000_000 }),
    headOf('POST', lookup, { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 200_000 }),
  ]
  let isOver = false
  const open = new Set<Socket>()
  const attack = async (index: number): Promise<void> => {
    const head = heads[Math.floor(index / networks) % heads.length] ?? ''
    while (!isOver) {
      const socket = await openSocket(port, loopbackOf(index % networks, Math.floor(index / networks) + 1))
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      const byte = head.includes('chunked') ? '1\r\n{\r\n' : '-'
      socket.write(head + byte)
      while (!isOver && !socket.destroyed) {
        await Promise.race([pause(nextByteMs), new Promise((resolve) => socket.once('close', resolve))])
        if (!socket.destroyed) socket.write(byte)
      }
      if (!isOver) await pause(reopenMs)
    }
  }
  for (let index = 0; index < sockets; index += 1) void attack(index)
  await pause(2_000)
  return {
    stop() {
      isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}
