import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openThread } from '../../src/platform/store/embedded/thread.js'
import { until, within } from '../harness/patience.ts'
import { openPaths } from '../harness/private-files.ts'
import {
  basic,
  type Credentials,
  callApi,
  launch,
  makeFolder,
  makeShop,
  openSocket,
  type RunningProcess,
  running,
  sharedByTests,
  start,
} from '../harness/process.ts'

const secret = 'do-not-show-me'
const slugs = Array.from({ length: 30 }, (_, index) => `answered-${index}`)

// One data folder: each test goes on with what the previous one left.
describe('first start, after one that was killed in its middle and one that failed', () => {
  const shared = sharedByTests(async (cleanup) => {
    const settings = { DATA_DIR: join(makeFolder(cleanup), 'data') }
    const killed = launch(settings, { cleanup })
    // The database folder appears when unpacking begins, some hundred milliseconds before it ends.
    await until(() => (existsSync(join(settings.DATA_DIR, 'store', 'base')) ? true : undefined))
    killed.child.kill('SIGKILL')
    await killed.ended
    const failed = launch({ ...settings, ADMIN_API_KEY: secret }, { cleanup })
    const { code } = await failed.ended
    const service = await start({ ...settings, HOST: '' }, { cleanup })
    return { settings, killed, failed: { ...failed, code }, service }
  })
  /** As printed at the first start. */
  const credentials = () => shared().service.credentials ?? { username: '', apiKey: '' }

  it('prints its addresses, the credentials and how to stop it', () => {
    const { killed, service } = shared()
    expect(killed.output()).toBe('')
    const output = service.output()
    expect(output).toContain(`Doorstep is running at http://localhost:${service.port}`)
    expect(output).toMatch(/API reference +http:\/\/localhost:\d+\/docs/)
    expect(output).toMatch(/API description +http:\/\/localhost:\d+\/openapi\.json/)
    expect(output).toContain('Ctrl+C stops it')
    expect(service.credentials).toEqual({ username: 'admin', apiKey: expect.stringMatching(/^dsk_\w{40}$/) })
    expect(service.complaints()).toBe('')
  })

  it('had failed with one line that names the wrong setting, and not its value', () => {
    const { failed } = shared()
    expect([failed.code, failed.output()]).toEqual([1, ''])
    expect(linesOf(failed.complaints())).toEqual([
      expect.stringMatching(/^Doorstep did not start\. ADMIN_API_KEY is wrong: its value .*16/),
    ])
    expect(failed.complaints()).not.toContain(secret)
  })

  it('serves what it has printed, to the credentials that it has printed', async () => {
    const { service } = shared()
    expect(await callApi(service, service.credentials, 'GET /v1/shops')).toEqual({ status: 200, body: [] })
    const wrong = { username: 'admin', apiKey: 'not-the-key' }
    expect(await callApi(service, wrong, 'GET /v1/shops')).toMatchObject({ status: 401 })
    expect((await fetch(`${service.url}/docs`)).status).toBe(200)
    expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200)
  })

  it('prints a plain welcome and JSON lines to a file or pipe', async () => {
    const { service } = shared()
    await fetch(`${service.url}/healthz`)
    const line = await until(() => /^.*"\/healthz".*$/m.exec(service.output())?.[0])
    expect(JSON.parse(line)).toMatchObject({ level: 'info', method: 'GET', path: '/healthz', status: 200 })
    expect(service.output()).toContain('Doorstep is running at')
  })

  it.skipIf(process.platform === 'win32')('creates a data folder that only its owner can read', () => {
    const folder = shared().settings.DATA_DIR
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['store', 'encryption-key']))
    expect(openPaths(folder)).toEqual([])
  })

  it('listens on loopback only, with the embedded store outside production', async () => {
    const { service } = shared()
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect(await isReachable(service)).toBe(false)
  })

  it('is not affected by another process on its folder, which fails', async () => {
    const { settings, service } = shared()
    const second = launch(settings)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.output()).toBe('')
    const reason = `${settings.DATA_DIR} is in use by another Doorstep process. Stop that one, or set DATA_DIR to another folder.`
    expect(linesOf(second.complaints())).toEqual([`Doorstep did not start. ${reason}`])
    for (const slug of slugs) await makeShop(service, service.credentials, slug)
    await expect(openThread(settings.DATA_DIR)).rejects.toThrow(reason)
  })

  describe('and the next one, of several processes after a kill', () => {
    const next = sharedByTests(async (cleanup) => {
      const { service, settings } = shared()
      service.child.kill('SIGKILL')
      expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
      const production = { ...settings, HOST: '', NODE_ENV: 'production' }
      const [one, other] = [launch(production, { cleanup }), launch(production, { cleanup })]
      const loser = await Promise.race([one, other].map((each) => each.ended.then(() => each)))
      return { loser, service: await running(loser === one ? other : one) }
    })
    it('gives the stale lock to one of them', async () => {
      const { loser } = next()
      expect(await loser.ended).toEqual({ code: 1, signal: null })
      expect(loser.complaints()).toContain('is in use by another Doorstep process')
    })

    it('has everything that was acknowledged, and does not print the key again', async () => {
      const { service } = next()
      const found = await Promise.all(
        slugs.map(async (slug) => (await callApi(service, credentials(), `GET /v1/shops/${slug}`)).status),
      )
      expect(found).toEqual(slugs.map(() => 200))
      expect(service.credentials).toBeUndefined()
      expect(service.output()).not.toContain(credentials().apiKey)
      expect(service.output()).toContain('with the API key as printed at the first start')
    })

    // Only Linux has the whole of 127.0.0.0/8 by default.
    it.runIf(process.platform === 'linux')('listens everywhere in production', async () => {
      expect(await isReachable(next().service)).toBe(true)
    })

    it('completes requests in flight at a signal, does not wait for idle connections, then exits with 0', async () => {
      const { service } = next()
      const silent = await openSocket(service.port)
      const waiting = await openSocket(service.port)
      waiting.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
      await new Promise((resolve) => waiting.once('data', resolve))
      const client = await beginShop(service, credentials(), 'in-flight')
      service.child.kill('SIGTERM')
      await refusesConnections(service)
      client.finish()
      expect(await within(client.response)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nnull$/s)
      expect(await within(service.ended)).toEqual({ code: 0, signal: null })
      silent.destroy()
    })
  })

  it('is followed by one that fails with one line if its port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number } // it listens on a port, not on a path
    const failed = launch({ ...shared().settings, PORT: String(port) })
    expect(await failed.ended).toEqual({ code: 1, signal: null })
    expect(failed.output()).toBe('')
    expect(linesOf(failed.complaints())).toEqual([
      `Doorstep did not start. Port ${port} is in use: set PORT to another one.`,
    ])
  })

  it('is followed by one that a second signal stops at once, with what was completed after a first one', async () => {
    const service = await start(shared().settings)
    expect(await callApi(service, credentials(), 'GET /v1/shops/in-flight')).toMatchObject({ status: 200 })
    await beginShop(service, credentials(), 'never-finished')
    service.child.kill('SIGINT')
    await refusesConnections(service)
    service.child.kill('SIGINT')
    expect(await within(service.ended)).toEqual({ code: 130, signal: null })
  })
})

function isReachable({ port }: { port: number }): Promise<boolean> {
  return fetch(`http://127.0.0.2:${port}/healthz`).then(
    () => true,
    () => false,
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** Sends the head of a request and half of its body; the rest follows on `finish`. */
async function beginShop(service: RunningProcess, credentials: Credentials, slug: string) {
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
    `Authorization: ${basic(credentials)}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const half = body.length >> 1
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`)
  // The response to another request shows that this one has been read as far as it was sent.
  await callApi(service, credentials, 'GET /v1/shops')
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
