import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { passOn, startLoopback } from '../harness/loopback.ts'
import { createMigratedPostgresDatabase } from '../harness/prepared-stores.ts'
import { logLines, startTestService } from '../harness/service.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'
const checkName = 'client_connection_check_interval'
const compressionName = 'default_toast_compression'
/** The error of a PostgreSQL that was built without the library. */
const withoutLz4 = `invalid value for parameter "${compressionName}": "lz4"`
/** The error of PostgreSQL 15 on Windows. */
const onWindows = `invalid value for parameter "${checkName}": 5000`
/** The error of PostgreSQL 13. */
const onOldVersion = `unrecognized configuration parameter "${checkName}"`

describe.skipIf(reason !== '')(`a server that cannot check its clients${reason}`, () => {
  for (const [code, message] of [
    ['22023', onWindows],
    ['42704', onOldVersion],
  ] as const) {
    it(`is used without the check: ${message}`, async () => {
      const server = await startServerWithout({ [checkName]: [code, message] })
      const database = await createDatabase(await openPostgres(server.url, 4))
      onTestFinished(() => database.close())
      expect(database.checksClients()).toBe(false)
      const before = logLines.length
      const service = await startTestService({ ROLE: 'api' }, database)
      onTestFinished(() => service.stop())
      expect((await service.app.inject('/readyz')).statusCode).toBe(200)
      const warnings = logLines.slice(before).filter((line) => line.includes(checkName))
      expect(warnings).toHaveLength(1)
      // The first connection found out, and no later one tried again; the other options are still set.
      expect(server.rejected).toBe(1)
      expect(server.accepted.length).toBeGreaterThan(1)
      for (const options of server.accepted) {
        expect(options).toBe('-c enable_seqscan=off -c jit=off -c default_toast_compression=lz4')
      }
    })
  }

  it('is rejected if the address itself asks for it', async () => {
    const server = await startServerWithout({ [checkName]: ['22023', onWindows] })
    const url = `${server.url}?options=${encodeURIComponent(`-c ${checkName}=9s`)}`
    await expect(openPostgres(url, 1)).rejects.toThrow(onWindows)
  })
})

describe.skipIf(reason !== '')(`a server built without lz4${reason}`, () => {
  it('is used with its own compression', async () => {
    const server = await startServerWithout({ [compressionName]: ['22023', withoutLz4] })
    const engine = await openPostgres(server.url, 2)
    onTestFinished(() => engine.close())
    expect(engine.checksClients()).toBe(true)
    expect(server.rejected).toBe(1)
    expect(server.accepted).not.toEqual([])
    for (const options of server.accepted) expect(options).not.toContain(compressionName)
  })

  it('is used even if it cannot check its clients either', async () => {
    const server = await startServerWithout({
      [compressionName]: ['42704', `unrecognized configuration parameter "${compressionName}"`],
      [checkName]: ['42704', onOldVersion],
    })
    const engine = await openPostgres(server.url, 2)
    onTestFinished(() => engine.close())
    expect(engine.checksClients()).toBe(false)
    expect(server.rejected).toBe(2)
    expect(server.accepted).not.toEqual([])
    for (const options of server.accepted) expect(options).toBe('-c enable_seqscan=off -c jit=off')
  })
})

describe.skipIf(reason !== '')(`a server${reason}`, () => {
  it('compresses with lz4 if it was built with it', async () => {
    const engine = await openPostgres(await createMigratedPostgresDatabase(), 1)
    onTestFinished(() => engine.close())
    const client = await engine.pool.connect()
    const { rows } = await client.query("select enumvals from pg_settings where name = 'default_toast_compression'")
    const isBuiltWithIt = rows[0].enumvals.includes('lz4')
    expect((await client.query(`show ${compressionName}`)).rows).toEqual([
      { [compressionName]: isBuiltWithIt ? 'lz4' : 'pglz' },
    ])
    client.release()
  })
})

describe.skipIf(reason !== '')(`a server that can check its clients${reason}`, () => {
  it('does, every five seconds', async () => {
    const engine = await openPostgres(await createMigratedPostgresDatabase(), 1)
    onTestFinished(() => engine.close())
    expect(engine.checksClients()).toBe(true)
    const client = await engine.pool.connect()
    expect((await client.query(`show ${checkName}`)).rows).toEqual([{ [checkName]: '5s' }])
    client.release()
  })
})

/** The real server, behind one that rejects sessions with an option as PostgreSQL does: with an error after the first message. */
async function startServerWithout(errors: Record<string, [code: string, message: string]>) {
  const real = new URL(await createMigratedPostgresDatabase())
  const seen = { url: '', rejected: 0, accepted: [] as string[] }
  const proxy = await startLoopback((socket) => {
    socket.once('data', (startup) => {
      const options = optionsOf(startup)
      const error = Object.keys(errors).find((name) => options.includes(name))
      if (error !== undefined) {
        seen.rejected += 1
        socket.end(fatalError(...(errors[error] as [string, string]))) // found above
        return
      }
      seen.accepted.push(options)
      passOn(socket, startup, connect(Number(real.port || 5432), real.hostname))
    })
  })
  const url = new URL(real)
  url.host = `${proxy.host}:${proxy.port}`
  return Object.assign(seen, { url: url.href })
}

/** Of a startup message: its length, the version of the protocol, then names and values, each ended by a zero. */
function optionsOf(startup: Buffer): string {
  const words = startup.subarray(8).toString().split('\0')
  return words[words.indexOf('options') + 1] ?? ''
}

function fatalError(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E....')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
