import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/database.ts'
import { DatabaseUnreachable } from '../../src/database/postgres.ts'
import { welcome } from '../../src/setup/welcome.ts'
import { until } from '../harness/patience.ts'
import { openPaths } from '../harness/private-files.ts'
import { callApi, launch, makeFolder, makeShop, makeStore, sharedByTests, start } from '../harness/process.ts'
import { call, logLines, openTestDatabase, startTestService, testConfig } from '../harness/service.ts'

const secret = 'do-not-show-me'

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
    return { settings, killed, failed: { ...failed, code }, service: await start(settings, { cleanup }) }
  })

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
    expect(await callApi(service, service.credentials, 'GET', '/v1/shops')).toEqual({ status: 200, body: [] })
    const wrong = { username: 'admin', apiKey: 'not-the-key' }
    expect(await callApi(service, wrong, 'GET', '/v1/shops')).toMatchObject({ status: 401 })
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

  it('is not affected by another process on its folder, which fails', async () => {
    const { settings, service } = shared()
    const second = launch(settings)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.output()).toBe('')
    expect(linesOf(second.complaints())).toEqual([
      `Doorstep did not start. ${settings.DATA_DIR} is in use by another Doorstep process. Stop that one, or set DATA_DIR to another folder.`,
    ])
    await makeShop(service, service.credentials, 'kept')
    const third = launch(settings)
    expect(await third.ended).toEqual({ code: 1, signal: null })
  })

  describe('and the next start', () => {
    const reaches = (service: { port: number }) =>
      fetch(`http://127.0.0.2:${service.port}/healthz`).then(
        () => true,
        () => false,
      )
    const next = sharedByTests(async (cleanup) => {
      const { service, settings } = shared()
      service.child.kill('SIGTERM')
      expect(await service.ended).toEqual({ code: 0, signal: null })
      return start({ ...settings, HOST: '' }, { cleanup })
    })

    it('has everything that was stored, and does not print the key again', async () => {
      const { service: first } = shared()
      expect(next().credentials).toBeUndefined()
      expect(next().output()).not.toContain(first.credentials?.apiKey)
      expect(next().output()).toContain('with the API key as printed at the first start')
      expect(await callApi(next(), first.credentials, 'GET', '/v1/shops/kept')).toMatchObject({
        status: 200,
        body: { slug: 'kept' },
      })
    })

    it('listens on loopback only, with the embedded store outside production', async () => {
      expect((await fetch(`${next().url}/healthz`)).status).toBe(200)
      expect(await reaches(next())).toBe(false)
    })

    it('after a kill gives the stale lock to one of several processes, which in production listens everywhere', async () => {
      next().child.kill('SIGKILL')
      await next().ended
      const settings = { ...shared().settings, HOST: '', NODE_ENV: 'production' }
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
      // Only Linux has the whole of 127.0.0.0/8 by default.
      if (process.platform === 'linux') {
        const output = started[ended.indexOf('runs')]?.output() ?? ''
        expect(await reaches({ port: Number(/running at \S+:(\d+)/.exec(output)?.[1]) })).toBe(true)
      }
      expect(ended.sort()).toEqual([1, 1, 'runs'])
    })
  })
})

describe('credentials of the settings', () => {
  it('are those of the superadmin, from the first start on, and the key is not printed', async () => {
    const database = await openTestDatabase()
    onTestFinished(() => database.close())
    const given = { username: 'root', apiKey: 'a-key-of-the-operator' }
    const startWith = (apiKey: string) =>
      startTestService(
        { ADMIN_USERNAME: given.username, ADMIN_API_KEY: apiKey, PORT: '0', HOST: '127.0.0.1' },
        {
          ...database,
          close: async () => {},
        },
      )
    const linesBefore = logLines.length
    const first = await startWith(given.apiKey)
    expect((await call('GET', '/v1/shops', { auth: given }, first)).status).toBe(200)
    expect(first.newCredentials).toBeUndefined()
    const config = testConfig({ ADMIN_USERNAME: given.username, ADMIN_API_KEY: given.apiKey })
    const printed = [welcome(first, config), ...logLines.slice(linesBefore)].join('\n')
    expect(printed).toContain('running at')
    expect(printed).not.toContain(given.apiKey)
    await first.stop()

    const changed = { ...given, apiKey: 'another-key-of-the-operator' }
    const second = await startWith(changed.apiKey)
    onTestFinished(() => second.stop())
    expect((await call('GET', '/v1/shops', { auth: changed }, second)).status).toBe(200)
    expect((await call('GET', '/v1/shops', { auth: given }, second)).status).toBe(401)
  })
})

describe('a wrong setting is named, without secrets', () => {
  const cases: [name: string, settings: Record<string, string>, line: RegExp][] = [
    ['PORT is not a number', { PORT: 'abc' }, /^PORT is wrong: "abc" must be integer\.$/],
    ['TLS_CERT without TLS_KEY', { TLS_CERT: 'cert.pem' }, /^TLS_KEY is missing: TLS_CERT is set/],
    [
      'TRUST_PROXY is not a proxy',
      { TRUST_PROXY: 'maybe' },
      /^TRUST_PROXY is wrong: "maybe" must be off, on .* or networks/,
    ],
    ['LOG_LEVEL is unknown', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL is wrong: "loud" /],
    ['DEMO is neither on nor off', { DEMO: 'maybe' }, /^DEMO is wrong: "maybe" /],
    [
      'DATABASE_URL is not the address of a database',
      { DATABASE_URL: `mysql://a:${secret}@b/c` },
      /^DATABASE_URL is wrong: /,
    ],
  ]
  it.each(cases)('%s', (_name, settings, line) => {
    const read = () => readConfig(settings)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(line)
    expect(read).not.toThrow(secret)
    expect(read).not.toThrow('\n')
  })

  const unreachable: [name: string, address: string, line: RegExp][] = [
    [
      'does not respond',
      `postgres://someone:${secret}@127.0.0.1:9/doorstep`,
      /^The database of DATABASE_URL does not let us in: .*ECONNREFUSED/,
    ],
    [
      'does not respond at any of its addresses',
      `postgres://someone:${secret}@localhost:9/doorstep`,
      /^The database of DATABASE_URL does not let us in: .*ECONNREFUSED/,
    ],
    [
      'does not exist',
      `postgres://someone:${secret}@nowhere.invalid/doorstep`,
      /^The database of DATABASE_URL does not let us in: \S/,
    ],
  ]
  it.each(unreachable)('the server of DATABASE_URL %s', async (_name, address, line) => {
    const error = await openDatabase(readConfig({ DATABASE_URL: address })).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(error).toBeInstanceOf(DatabaseUnreachable)
    expect(error?.message).toMatch(line)
    expect(error?.message).not.toContain(secret)
    expect(linesOf(error?.message ?? '')).toHaveLength(1)
  })
})

describe('a start that cannot succeed fails with one line that says why', () => {
  const shared = sharedByTests(makeStore)
  const fail = async (settings: Record<string, string>) => {
    const service = launch({ DATA_DIR: shared(), ...settings })
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.output()).toBe('')
    const [only, ...others] = linesOf(service.complaints())
    expect(others).toEqual([])
    return only
  }

  it('the server of DATABASE_URL does not respond', async () => {
    const line = await fail({ DATABASE_URL: `postgres://someone:${secret}@127.0.0.1:9/doorstep` })
    expect(line).toMatch(/^Doorstep did not start\. The database of DATABASE_URL does not let us in: .*ECONNREFUSED/)
    expect(line).not.toContain(secret)
  })

  it('TLS_CERT does not exist', async () => {
    const line = await fail({ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' })
    expect(line).toMatch(/^Doorstep did not start\. .*\/nowhere\/cert\.pem/)
  })

  it('ENCRYPTION_KEY is not that of the store', async () => {
    const line = await fail({ ENCRYPTION_KEY: 'another-key-than-that' })
    expect(line).toMatch(/^Doorstep did not start\. ENCRYPTION_KEY is wrong/)
    expect(line).not.toContain('another-key-than-that')
  })

  it('PORT is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number } // it listens on a port, not on a path
    expect(await fail({ PORT: String(port) })).toBe(
      `Doorstep did not start. Port ${port} is in use: set PORT to another one.`,
    )
  })

  it('DATA_DIR is a file', async () => {
    const file = join(makeFolder(), 'file')
    writeFileSync(file, '')
    expect(await fail({ DATA_DIR: file })).toContain(file)
  })
})

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
