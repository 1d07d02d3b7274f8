import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPaths } from '../harness/private-files.ts'
import { callApi, launch, makeFolder, makeShop, makeStore, operator, sharedByTests, start } from '../harness/process.ts'

describe('first start', () => {
  const shared = sharedByTests(async (cleanup) => {
    const settings = { DATA_DIR: join(makeFolder(cleanup), 'data') }
    // A failed start must not prevent the next one.
    const failed = launch({ ...settings, PORT: 'abc' }, { cleanup })
    expect((await failed.ended).code).toBe(1)
    return { settings, service: await start(settings, { cleanup }) }
  })

  it('prints its addresses, the credentials and how to stop it', () => {
    const { service } = shared()
    const output = service.output()
    expect(output).toContain(`Doorstep is running at http://localhost:${service.port}`)
    expect(output).toMatch(/API reference +http:\/\/localhost:\d+\/docs/)
    expect(output).toMatch(/API description +http:\/\/localhost:\d+\/openapi\.json/)
    expect(output).toContain('Ctrl+C stops it')
    expect(service.credentials).toEqual({ username: 'admin', apiKey: expect.stringMatching(/^dsk_\w{40}$/) })
    expect(service.complaints()).toBe('')
  })

  it('serves what it has printed, to the credentials that it has printed', async () => {
    const { service } = shared()
    expect(await callApi(service, service.credentials, 'GET', '/v1/shops')).toEqual({ status: 200, body: [] })
    const wrong = { username: 'admin', apiKey: 'not-the-key' }
    expect(await callApi(service, wrong, 'GET', '/v1/shops')).toMatchObject({ status: 401 })
    expect((await fetch(`${service.url}/docs`)).status).toBe(200)
    expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200)
  })

  it.skipIf(process.platform === 'win32')('creates a data folder that only its owner can read', () => {
    const folder = shared().settings.DATA_DIR
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['store', 'encryption-key']))
    expect(openPaths(folder)).toEqual([])
  })

  it('stores everything for the next start, which does not print the key again', async () => {
    const { service: first, settings } = shared()
    await makeShop(first, first.credentials, 'kept')
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0, signal: null })
    const second = await start(settings)
    expect(second.credentials).toBeUndefined()
    expect(second.output()).not.toContain(first.credentials?.apiKey)
    expect(second.output()).toContain('with the API key as printed at the first start')
    expect(await callApi(second, first.credentials, 'GET', '/v1/shops/kept')).toMatchObject({
      status: 200,
      body: { slug: 'kept' },
    })
  })
})

describe('start', () => {
  it('listens on loopback only with the embedded store outside production, and everywhere in production', async () => {
    const reaches = (service: { port: number }) =>
      fetch(`http://127.0.0.2:${service.port}/healthz`).then(
        () => true,
        () => false,
      )
    const settings = { DATA_DIR: await makeStore(), HOST: '' }
    const own = await start(settings)
    expect((await fetch(`${own.url}/healthz`)).status).toBe(200)
    expect(await reaches(own)).toBe(false)
    // Only Linux has the whole of 127.0.0.0/8 by default.
    if (process.platform !== 'linux') return
    own.child.kill('SIGTERM')
    await own.ended
    expect(await reaches(await start({ ...settings, NODE_ENV: 'production' }))).toBe(true)
  })

  it('uses the credentials of the settings, and does not print the key', async () => {
    const given = { username: 'root', apiKey: 'a-key-of-the-operator' }
    const settings = { DATA_DIR: makeFolder(), ADMIN_USERNAME: given.username, ADMIN_API_KEY: given.apiKey }
    const first = await start(settings)
    expect(await callApi(first, given, 'GET', '/v1/shops')).toMatchObject({ status: 200 })
    expect(first.credentials).toBeUndefined()
    expect(first.output() + first.complaints()).not.toContain(given.apiKey)
    first.child.kill('SIGTERM')
    await first.ended

    const changed = { ...given, apiKey: 'another-key-of-the-operator' }
    const second = await start({ ...settings, ADMIN_API_KEY: changed.apiKey })
    expect(await callApi(second, changed, 'GET', '/v1/shops')).toMatchObject({ status: 200 })
    expect(await callApi(second, given, 'GET', '/v1/shops')).toMatchObject({ status: 401 })
  })

  it('fails on a folder that another process uses, without affecting that process', async () => {
    const settings = { DATA_DIR: await makeStore() }
    const first = await start(settings)
    const second = launch(settings)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.output()).toBe('')
    expect(linesOf(second.complaints())).toEqual([
      `Doorstep did not start. ${settings.DATA_DIR} is in use by another Doorstep process. Stop that one, or set DATA_DIR to another folder.`,
    ])
    await makeShop(first, operator, 'after')
    const third = launch(settings)
    expect(await third.ended).toEqual({ code: 1, signal: null })
  })

  it('gives a folder with a stale lock to one of several processes that start at the same time', async () => {
    const settings = { DATA_DIR: await makeStore() }
    const killed = await start(settings)
    killed.child.kill('SIGKILL')
    await killed.ended
    const started = [1, 2, 3].map(() => launch(settings))
    const ended = await Promise.all(
      started.map((process) =>
        Promise.race([
          process.ended.then(({ code }) => code),
          new Promise((resolve) =>
            process.child.stdout?.on('data', () => process.output().includes('Ctrl+C') && resolve('runs')),
          ),
        ]),
      ),
    )
    expect(ended.sort()).toEqual([1, 1, 'runs'])
  })
})

describe('start with a wrong setting fails with one line that names it', () => {
  const secret = 'do-not-show-me'
  const cases: [name: string, settings: Record<string, string>, line: RegExp][] = [
    ['PORT is not a number', { PORT: 'abc' }, /^PORT is wrong: "abc" must be integer\.$/],
    ['ADMIN_API_KEY is too short', { ADMIN_API_KEY: secret }, /^ADMIN_API_KEY is wrong: its value .*16/],
    ['TLS_CERT without TLS_KEY', { TLS_CERT: 'cert.pem' }, /^TLS_KEY is missing: TLS_CERT is set/],
    ['TLS_CERT does not exist', { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' }, /\/nowhere\/cert\.pem/],
    [
      'TRUST_PROXY is not a proxy',
      { TRUST_PROXY: 'maybe' },
      /^TRUST_PROXY is wrong: "maybe" must be off, on .* or networks/,
    ],
    ['LOG_LEVEL is unknown', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL is wrong: "loud" /],
    ['DEMO is neither on nor off', { DEMO: 'maybe' }, /^DEMO is wrong: "maybe" /],
    [
      'the server of DATABASE_URL does not respond',
      { DATABASE_URL: `postgres://someone:${secret}@127.0.0.1:9/doorstep` },
      /^The database of DATABASE_URL does not let us in: .*ECONNREFUSED/,
    ],
    [
      'the server of DATABASE_URL does not respond at any of its addresses',
      { DATABASE_URL: `postgres://someone:${secret}@localhost:9/doorstep` },
      /^The database of DATABASE_URL does not let us in: .*ECONNREFUSED/,
    ],
    [
      'the server of DATABASE_URL does not exist',
      { DATABASE_URL: `postgres://someone:${secret}@nowhere.invalid/doorstep` },
      /^The database of DATABASE_URL does not let us in: \S/,
    ],
    [
      'DATABASE_URL is not the address of a database',
      { DATABASE_URL: `mysql://a:${secret}@b/c` },
      /^DATABASE_URL is wrong: /,
    ],
  ]
  it.each(cases)('%s', async (_name, settings, line) => {
    const service = launch({ DATA_DIR: settings.TLS_KEY === undefined ? makeFolder() : await makeStore(), ...settings })
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.output()).toBe('')
    const [only, ...others] = linesOf(service.complaints())
    expect(others).toEqual([])
    expect(only).toMatch(/^Doorstep did not start\. /)
    expect(only?.replace('Doorstep did not start. ', '')).toMatch(line)
    expect(only).not.toContain(secret)
  })

  it('ENCRYPTION_KEY is not that of the store', async () => {
    const folder = await makeStore()
    const service = launch({ DATA_DIR: folder, ENCRYPTION_KEY: 'another-key-than-that' })
    expect((await service.ended).code).toBe(1)
    expect(linesOf(service.complaints())).toEqual([
      expect.stringMatching(/^Doorstep did not start\. ENCRYPTION_KEY is wrong/),
    ])
    expect(service.complaints()).not.toContain('another-key-than-that')
  })

  it('PORT is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number } // it listens on a port, not on a path
    const service = launch({ DATA_DIR: await makeStore(), PORT: String(port) })
    expect((await service.ended).code).toBe(1)
    other.close()
    expect(linesOf(service.complaints())).toEqual([
      `Doorstep did not start. Port ${port} is in use: set PORT to another one.`,
    ])
  })

  it('DATA_DIR is a file', async () => {
    const file = join(makeFolder(), 'file')
    writeFileSync(file, '')
    const service = launch({ DATA_DIR: file })
    expect((await service.ended).code).toBe(1)
    expect(linesOf(service.complaints())).toEqual([expect.stringContaining(file)])
  })
})

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
