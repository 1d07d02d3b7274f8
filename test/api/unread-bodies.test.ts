import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { operations } from '../../src/operations.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import type { Service } from '../../src/service.ts'
import { createOrder, uniqueNumber } from '../harness/orders.ts'
import { until } from '../harness/patience.ts'
import { call, startNode, testConfig } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const announced = 400_000_000
const jsonType = 'Content-Type: application/json'
const formType = 'Content-Type: multipart/form-data; boundary=b'
const dataDir = testConfig().dataDir
let service: Service
let shop: TestShop
let claimAddress: string

beforeAll(async () => {
  const settings = { PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '', DATA_DIR: dataDir, IMAGE_LIMIT: '2 MB' }
  service = await startNode(settings)
  shop = await makeShop({}, service)
  const tracking = { tracking_number: uniqueNumber('00340'), carrier_reference: 'dhl' }
  const order = await createOrder(shop.as('editor'), {}, [tracking])
  const { body } = await shop.as('editor').post('/orders/trackpage-url', { id: order.order_number })
  claimAddress = `${new URL(body.url).pathname}/claim`
})
afterAll(() => service.stop())

describe('large body', () => {
  it.each(operations.filter(({ method }) => method !== 'GET').map((operation) => [operation.name, operation] as const))(
    'is not waited for by %s from an unknown sender',
    async (_name, operation) => {
      const response = await announce(operation.method, addressOf(operation), [operation.file ? formType : jsonType])
      expect(response).toMatch(/^HTTP\/1\.1 4(00|01|04|13) /)
      expect(response.toLowerCase()).toContain('connection: close')
    },
  )

  it('is not waited for if the key is wrong, or has too low a role', async () => {
    const { username, apiKey } = await shop.credentials('viewer')
    const path = `/v1/shops/${shop.slug}/orders`
    expect(await announce('POST', path, [jsonType, basic('nobody', 'wrong-key-of-nobody')])).toMatch(/^HTTP\/1\.1 401 /)
    expect(await announce('POST', path, [jsonType, basic(username, apiKey)])).toMatch(/^HTTP\/1\.1 403 /)
    const image = `/v1/shops/${shop.slug}/images`
    expect(await announce('POST', image, [formType, basic(username, apiKey)])).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('is not waited for at an address without an order, a shop or a page', async () => {
    const addresses = [
      `/track/${shop.slug}/x/claim`,
      '/track/no-such-shop',
      '/track/no-such-shop/x/claim',
      '/track/a/b/c/d/e/f',
      '/nowhere',
    ]
    for (const address of addresses) {
      const response = await announce('POST', address, [formType])
      expect(response, address).toMatch(/^HTTP\/1\.1 404 /)
      expect(response.toLowerCase(), address).toContain('connection: close')
    }
  })

  it('is rejected by its announced length, if a form is expected', async () => {
    const urlencoded = 'Content-Type: application/x-www-form-urlencoded'
    expect(await announce('POST', claimAddress, [formType])).toMatch(/^HTTP\/1\.1 413 /)
    expect(await announce('POST', claimAddress, [urlencoded])).toMatch(/^HTTP\/1\.1 413 /)
    expect(await announce('POST', `/track/${shop.slug}`, [urlencoded])).toMatch(/^HTTP\/1\.1 413 /)
    expect(await announce('POST', `/track/${shop.slug}`, [jsonType])).toMatch(/^HTTP\/1\.1 415 /)
  })

  it('of unknown length is cut off at the size limit of the form', async () => {
    const socket = await open()
    const response = responseOf(socket)
    socket.write(head('POST', claimAddress, [formType, 'Transfer-Encoding: chunked']))
    writeChunk(socket, '--b\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n')
    let sentBytes = 0
    const more = Buffer.alloc(64_000, 'x')
    while (!socket.destroyed && socket.bytesRead === 0 && sentBytes < announced) {
      sentBytes += more.length
      if (!writeChunk(socket, more)) await Promise.race([drained(socket), response])
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sentBytes).toBeLessThan(40_000_000)
    expect(await response).toMatch(/^HTTP\/1\.1 413 |^$/)
    expect(await readdir(join(dataDir, 'uploads'))).toEqual([])
  })

  it.each([
    ['names of fields', '{', (index: number) => `"name ${index}":1,`, 413],
    ['values', '[', () => '{},{},{},', 413],
    ['nested lists', '[', () => '[[[[[', 422],
  ])('is rejected while it arrives if it has too many %s', async (_what, start, more, status) => {
    const { username, apiKey } = await shop.credentials('editor')
    const socket = await open()
    const response = responseOf(socket)
    const headers = [jsonType, basic(username, apiKey), 'Content-Length: 9000000']
    socket.write(head('PUT', `/v1/shops/${shop.slug}/orders`, headers))
    socket.write(start)
    for (let index = 0; !socket.destroyed && socket.bytesRead === 0 && socket.bytesWritten < 8_000_000; index += 1) {
      const piece = Array.from({ length: 1_000 }, (_, turn) => more(1_000 * index + turn)).join('')
      if (!socket.write(piece)) await Promise.race([drained(socket), response])
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
    }
    socket.end()
    expect(await response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(socket.bytesWritten).toBeLessThan(8_000_000)
  })

  it('does not cost a client that sends all of it the response', async () => {
    const path = `/v1/shops/${shop.slug}/orders`
    for (const _try of [1, 2, 3, 4, 5]) {
      const socket = await open()
      const failures: Error[] = []
      socket.on('error', (error) => failures.push(error))
      const response = responseOf(socket)
      socket.write(head('POST', path, [jsonType, 'Content-Length: 12000000']))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.write(Buffer.alloc(12_000_000, ' '))
      expect(await response).toMatch(/^HTTP\/1\.1 400 /)
      expect(failures).toEqual([])
    }
  })

  it('is not read to its end after the response', async () => {
    const socket = await open()
    const response = responseOf(socket)
    socket.write(head('POST', '/nowhere', [formType, `Content-Length: ${announced}`]))
    const more = Buffer.alloc(1_000_000)
    while (!socket.destroyed && socket.bytesWritten < announced) {
      if (!socket.write(more)) await Promise.race([drained(socket), response])
    }
    expect(await response).toMatch(/^HTTP\/1\.1 404 |^$/)
    expect(socket.bytesWritten).toBeLessThan(announced)
  })

  it('of unknown senders takes no place on a page that needs no link', async () => {
    const urlencoded = 'Content-Type: application/x-www-form-urlencoded'
    for (const page of ['', '/withdrawal']) {
      const address = `/track/${shop.slug}${page}`
      expect(await announce('POST', address, [urlencoded], 70_000), address).toMatch(/^HTTP\/1\.1 4(04|13) /)
    }
    expect(await announce('POST', claimAddress, [urlencoded], 300_000)).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('of one link is received three times at a time, and the slowest makes room', async () => {
    const waiting: { socket: Socket; response: Promise<string> }[] = []
    for (let index = 0; index < 4; index += 1) {
      const socket = await open()
      waiting.push({ socket, response: responseOf(socket) })
      socket.write(head('POST', claimAddress, [formType, 'Content-Length: 7000000']))
      socket.write('--b\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\nfirst bytes')
    }
    const first = await Promise.race(waiting.map(({ response }) => response))
    expect(first).toMatch(/^HTTP\/1\.1 408 /)
    expect(first.toLowerCase()).toContain('connection: close')
    expect(first).toContain('<html')
    expect(await sendPhoto()).toBe(422)
    for (const { socket } of waiting) socket.destroy()
    await Promise.all(waiting.map(({ response }) => response))
    expect(await until(async () => ((await readdir(join(dataDir, 'uploads'))).length === 0 ? true : undefined))).toBe(
      true,
    )
  })
})

describe('signed message', () => {
  it('that is large is read only if a secret is set to verify it', async () => {
    const carrier = `/v1/inbound/${shop.slug}/carriers/aftership`
    expect(await announce('POST', carrier, [jsonType], 1_000_000)).toMatch(/^HTTP\/1\.1 401 /)
    const unknown = `/v1/inbound/${shop.slug}/carriers/constructor`
    expect(await announce('POST', unknown, [jsonType], 1_000_000)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('is not stored for idempotency, and never gets the response of another', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'of-a-stranger' }
    const send = () => call('POST', `/v1/inbound/${shop.slug}/shopify`, { auth: null, payload: '{}', headers }, service)
    const first = await send()
    const again = await send()
    expect([first.status, again.status]).toEqual([401, 401])
    expect(again.headers['idempotent-replayed']).toBeUndefined()
    const { db } = service.context()
    const rows = await db.selectFrom('idempotent_requests').select('key_id').execute()
    expect(rows.filter(({ key_id }) => key_id === '')).toEqual([])
  })
})

async function sendPhoto(): Promise<number> {
  const image = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer()
  const padding = Buffer.alloc(100_000)
  const form = new FormData()
  form.append('photos', new Blob([image, padding]), 'photo.jpg')
  const { status } = await fetch(`${service.url}${claimAddress}`, { method: 'POST', body: form })
  return status
}

function addressOf(operation: Operation): string {
  return operation.path.replace('{slug}', shop.slug).replaceAll(/\{\w+\}/g, 'x')
}

/** Sends a head that announces a body but no body; returns what was received before the connection closed. */
async function announce(method: string, path: string, headers: string[], bytes = announced): Promise<string> {
  const socket = await open()
  socket.write(head(method, path, [...headers, `Content-Length: ${bytes}`]))
  return responseOf(socket)
}

function head(method: string, path: string, headers: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n')
}

function basic(username: string, apiKey: string): string {
  return `Authorization: Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`
}

function open(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return new Promise((resolve) => {
    socket.on('error', () => {}).once('connect', () => resolve(socket))
  })
}

function responseOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  return new Promise((resolve) => {
    socket.once('close', () => resolve(text))
  })
}

function writeChunk(socket: Socket, chunk: string | Buffer): boolean {
  socket.write(`${chunk.length.toString(16)}\r\n`)
  socket.write(chunk)
  return socket.write('\r\n')
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', () => resolve())
  })
}
