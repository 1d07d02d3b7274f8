import { describe, expect, it } from 'vitest'
import { until, within } from '../harness/patience.ts'
import {
  basic,
  callApi,
  makeShop,
  makeStore,
  openSocket,
  operator,
  type RunningProcess,
  sharedByTests,
  start,
} from '../harness/process.ts'

describe('stop', () => {
  // One database: each test goes on with what the previous one left.
  const shared = sharedByTests(async (cleanup) => ({ DATA_DIR: await makeStore(cleanup) }))
  const afterKill = sharedByTests(async (cleanup) => {
    const killed = await start(shared(), { cleanup })
    const slugs = Array.from({ length: 30 }, (_, index) => `answered-${index}`)
    for (const slug of slugs) await makeShop(killed, operator, slug)
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
    return { slugs, service: await start(shared(), { cleanup }) }
  })

  it('by a kill loses nothing that was acknowledged, and the next start ignores the stale lock', async () => {
    const { slugs, service } = afterKill()
    const found = await Promise.all(
      slugs.map(async (slug) => (await callApi(service, operator, 'GET', `/v1/shops/${slug}`)).status),
    )
    expect(found).toEqual(slugs.map(() => 200))
  })

  it('by a signal completes requests in flight, does not wait for idle connections, then exits with 0', async () => {
    const { service } = afterKill()
    const silent = await openSocket(service.port)
    const waiting = await openSocket(service.port)
    waiting.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
    await new Promise((resolve) => waiting.once('data', resolve))
    const client = await beginShop(service, 'in-flight')
    service.child.kill('SIGTERM')
    await refusesConnections(service)
    client.finish()
    expect(await within(client.response)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nnull$/s)
    expect(await within(service.ended)).toEqual({ code: 0, signal: null })
    silent.destroy()
  })

  it('by a second signal is immediate, and what was completed after the first one is stored', async () => {
    const service = await start(shared())
    expect(await callApi(service, operator, 'GET', '/v1/shops/in-flight')).toMatchObject({ status: 200 })
    await beginShop(service, 'never-finished')
    service.child.kill('SIGINT')
    await refusesConnections(service)
    service.child.kill('SIGINT')
    expect(await within(service.ended)).toEqual({ code: 130, signal: null })
  })
})

/** Sends the head of a request and half of its body; the rest follows on `finish`. */
async function beginShop(service: RunningProcess, slug: string) {
  const body = JSON.stringify({ name: slug, slug })
  const socket = await openSocket(service.port)
  const response = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  const head = [
    'POST /v1/shops HTTP/1.1',
    'Host: test',
    `Authorization: ${basic(operator)}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const half = body.length >> 1
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`)
  // The response to another request shows that this one has been read as far as it was sent.
  await callApi(service, operator, 'GET', '/v1/shops')
  return { response, finish: () => socket.write(body.slice(half)) }
}

/** Waits until a stop has begun: from then on no connection is accepted. */
async function refusesConnections(service: RunningProcess): Promise<void> {
  await until(() =>
    openSocket(service.port).then(
      (socket) => void socket.destroy(),
      () => true,
    ),
  )
}
