import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { explain } from '../../src/installation/setup/explain.ts'
import { welcome } from '../../src/installation/setup/welcome.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { ConfigError } from '../../src/platform/config/config-error.ts'
import { openDatabase } from '../../src/platform/store/database.ts'
import { DatabaseUnreachable } from '../../src/platform/store/postgres.ts'
import { launch, makeFolder } from '../harness/process.ts'
import { call, logLines, openTestDatabase, startNode, startTestService, testConfig } from '../harness/service.ts'

const secret = 'do-not-show-me'

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

describe('credentials of a first start', () => {
  it('that failed, so that nobody has seen them, are made again by the next one', async () => {
    const database = await openTestDatabase()
    onTestFinished(() => database.close())
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number } // it listens on a port, not on a path
    const startOn = (usedPort: number) =>
      startTestService(
        { ADMIN_API_KEY: '', PORT: String(usedPort), HOST: '127.0.0.1' },
        { ...database, close: async () => {} },
      )
    await expect(startOn(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const service = await startOn(0)
    onTestFinished(() => service.stop())
    expect(service.newCredentials).toBeDefined()
    expect((await call('GET', '/v1/shops', { auth: service.newCredentials ?? null }, service)).status).toBe(200)
    await service.stop()
    // Those that were returned are kept.
    await expect(startOn(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const later = await startOn(0)
    onTestFinished(() => later.stop())
    expect(later.newCredentials).toBeUndefined()
    expect((await call('GET', '/v1/shops', { auth: service.newCredentials ?? null }, later)).status).toBe(200)
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
      /^The database of DATABASE_URL could not be reached: .*ECONNREFUSED/,
    ],
    [
      'does not respond at any of its addresses',
      `postgres://someone:${secret}@localhost:9/doorstep`,
      /^The database of DATABASE_URL could not be reached: .*ECONNREFUSED/,
    ],
    [
      'does not exist',
      `postgres://someone:${secret}@nowhere.invalid/doorstep`,
      /^The database of DATABASE_URL could not be reached: \S/,
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

describe('a start that cannot succeed ends with 1 and one line that says why', () => {
  const fail = async (settings: Record<string, string>) => {
    const service = launch(settings)
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.output()).toBe('')
    const [only, ...others] = linesOf(service.complaints())
    expect(others).toEqual([])
    return only
  }

  it('the server of DATABASE_URL does not respond', async () => {
    const line = await fail({
      DATA_DIR: makeFolder(),
      DATABASE_URL: `postgres://someone:${secret}@127.0.0.1:9/doorstep`,
    })
    expect(line).toMatch(/^Doorstep did not start\. The database of DATABASE_URL could not be reached: .*ECONNREFUSED/)
    expect(line).not.toContain(secret)
  })

  it('DATA_DIR is a file', async () => {
    const file = join(makeFolder(), 'file')
    writeFileSync(file, '')
    expect(await fail({ DATA_DIR: file })).toContain(file)
  })
})

describe('a start on a store that was opened fails with one line that says why', () => {
  const fail = (settings: Record<string, string>) => startNode(settings).then(() => 'it started', explain)

  it('TLS_CERT does not exist', async () => {
    const line = await fail({ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' })
    expect(line).toMatch(/^Doorstep did not start\. .*\/nowhere\/cert\.pem.*$/)
  })

  it('ENCRYPTION_KEY is not that of the store', async () => {
    const line = await fail({ ENCRYPTION_KEY: 'another-key-than-that' })
    expect(line).toMatch(/^Doorstep did not start\. ENCRYPTION_KEY is wrong.*$/)
    expect(line).not.toContain('another-key-than-that')
  })
})

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
