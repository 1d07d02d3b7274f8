import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bodyLimits } from '../../src/http/incoming-bodies.ts'
import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { startNode } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { payload, senderOf, signed } from '../harness/shop-systems.ts'

const networks = 20
const socketsPerNetwork = 25
const json = 'Content-Type: application/json'
const form = 'Content-Type: multipart/form-data; boundary=b'

let shop: TestShop
let secret: string
let claimAddress: string

beforeAll(async () => {
  shop = await makeShop()
  secret = (await senderOf(shop, 'shopify')).secret
  const tracking = { tracking_number: uniqueNumber('00340'), carrier_reference: 'dhl' }
  const order = await createOrder(shop.as('editor'), {}, [tracking])
  const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: order.order_number })
  claimAddress = `${new URL(body.url).pathname}/claim`
})

interface Client {
  /** The address that it connects from, and what a proxy says of it. */
  from: string
  headers: string[]
}

const kinds = [
  {
    name: 'connections from 20 networks',
    settings: { TRUST_PROXY: 'off' },
    clientOf: (network: number, host: number): Client => ({ from: `127.0.${network + 1}.${host + 1}`, headers: [] }),
  },
  {
    name: 'forwarded addresses of 20 networks',
    settings: { TRUST_PROXY: '1' },
    clientOf: (network: number, host: number): Client => ({
      from: '127.0.0.1',
      headers: [`X-Forwarded-For: 2001:db8:${network.toString(16)}:${host.toString(16)}::1`],
    }),
  },
]

describe.each(kinds)('500 sockets that send slowly: $name', ({ settings, clientOf }) => {
  let node: Service
  beforeAll(async () => {
    node = await startNode({ PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '', ...settings })
  })
  afterAll(() => node.stop())

  it('keep no signed message and no photo out', async () => {
    const url = new URL(node.url)
    const inbound = `/v1/inbound/${shop.slug}/shopify`
    const attacks = [
      () => [head(inbound, [json, 'Content-Length: 5000000']), '{'],
      () => [head(inbound, [json, 'Transfer-Encoding: chunked']), chunk(70_000)],
      () => [head(claimAddress, [form, 'Content-Length: 7000000']), '--b\r\n'],
      () => [head(claimAddress, [form, 'Transfer-Encoding: chunked']), '2\r\n--\r\n'],
      () => [head(`/track/${shop.slug}`, [form, 'Content-Length: 200000']), '--b\r\n'],
    ]
    const hostile = await Promise.all(
      Array.from({ length: networks * socketsPerNetwork }, async (_, index) => {
        const host = Math.floor(index / networks)
        const attack = attacks[host % attacks.length]
        const [start = '', part = ''] = attack?.() ?? []
        return { attack, ...(await open(url, clientOf(index % networks, host), start, part)) }
      }),
    )
    const of = (attack: unknown) => hostile.filter((one) => one.attack === attack)
    const [announced, growing, photo, twoBytes, lookup] = attacks
    const waiting = (sockets: typeof hostile) => sockets.filter(({ status }) => status() === undefined).length
    const perShop = bodyLimits.signed.places?.each.shop ?? 0
    const perLink = bodyLimits.links.places?.each.link ?? 0
    const messages = [...of(announced), ...of(growing)]
    await until(() => (waiting(messages) <= perShop && waiting(of(photo)) <= perLink ? true : undefined))

    const statuses: (string | undefined)[] = []
    for (let round = 0; round < 5; round += 1) {
      const client = clientOf(200, round)
      const answered = await Promise.all(Array.from({ length: 8 }, () => sendSigned(url, client, inbound)))
      statuses.push(...answered)
    }
    expect(statuses).toEqual(Array(40).fill('200'))
    // From a network of the attackers as well: they are slower.
    expect(await sendSigned(url, clientOf(3, 99), inbound)).toBe('200')
    expect(await sendPhoto(url, clientOf(200, 1))).toBe('422')
    expect(await sendPhoto(url, clientOf(3, 99))).toBe('422')

    expect(waiting(messages)).toBeLessThanOrEqual(perShop)
    expect(waiting(of(photo))).toBeLessThanOrEqual(perLink)
    expect(messages.filter(({ status }) => status() === '408').length).toBeGreaterThan(0)
    // Small bodies take no place, and a page without a link accepts no form with files.
    expect(waiting(of(twoBytes))).toBe(hostile.length / attacks.length)
    expect(new Set(of(lookup).map(({ status }) => status()))).toEqual(new Set(['415']))
  })

  /** A hostile client: it sends a head and the beginning of a body. */
  async function open(url: URL, { from, headers }: Client, start: string, part: string) {
    const socket = connect({ port: Number(url.port), host: '127.0.0.1', localAddress: from })
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket
      .on('error', () => {})
      .on('data', (data) => {
        text += data
      })
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(start.replace('\r\n\r\n', ['', ...headers, '', ''].join('\r\n')))
    socket.write(part)
    return { socket, status: () => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] }
  }

  /** A message of 200 KB, as a shop system sends it. */
  async function sendSigned(url: URL, client: Client, path: string): Promise<string | undefined> {
    const text = JSON.stringify(payload('shopify-order', { note: 'x'.repeat(200_000) }))
    const headers = Object.entries(signed('shopify', secret, 'orders/create', text)).map((pair) => pair.join(': '))
    const length = `Content-Length: ${Buffer.byteLength(text)}`
    return responseTo(await open(url, client, head(path, [json, ...headers, length]), text))
  }

  async function sendPhoto(url: URL, client: Client): Promise<string | undefined> {
    const part = 'Content-Disposition: form-data; name="photos"; filename="a.jpg"\r\nContent-Type: image/jpeg'
    const body = `--b\r\n${part}\r\n\r\n${'x'.repeat(1_000_000)}\r\n--b--\r\n`
    return responseTo(await open(url, client, head(claimAddress, [form, `Content-Length: ${body.length}`]), body))
  }
})

async function responseTo({ socket, status }: { socket: Socket; status: () => string | undefined }) {
  const found = await until(() => status() ?? (socket.destroyed ? 'closed' : undefined))
  socket.destroy()
  return found
}

function head(path: string, headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n')
}

function chunk(bytes: number): string {
  return `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`
}
