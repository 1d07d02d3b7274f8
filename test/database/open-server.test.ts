import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { afterFreeTime } from '../../src/platform/foundation/free-time.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { Server } from '../../src/platform/store/server.ts'
import { SessionOptions } from '../../src/platform/store/session-options.ts'
import { passOn, startLoopback } from '../harness/loopback.ts'
import { createMigratedPostgresDatabase } from '../harness/prepared-stores.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'

describe('a limit in free time', () => {
  it('does not end before what arrived during a long computation has been read', async () => {
    const server = await startLoopback((socket) => socket.pipe(socket))
    const socket = connect(server.port, server.host)
    onTestFinished(() => void socket.destroy())
    await new Promise((resolve) => socket.once('connect', resolve))
    const outcome = new Promise((resolve) => {
      const cancel = afterFreeTime(200, () => resolve('it ended'))
      socket.once('data', () => {
        cancel()
        resolve('it was read')
      })
    })
    socket.write('hello')
    setTimeout(() => block(600), 20)
    expect(await outcome).toBe('it was read')
  })

  it('ends if nothing arrives', async () => {
    await new Promise<void>((resolve) => void afterFreeTime(20, resolve))
  })
})

describe.skipIf(reason !== '')(`connecting to a server${reason}`, () => {
  it('succeeds although this process computes for longer than the server may take', async () => {
    const connectionString = await createMigratedPostgresDatabase()
    const server = new Server({ connectionString, needsWrites: true, options: new SessionOptions('') }, 1)
    const limitMs = 400
    const opening = server.open('busy', limitMs)
    // As while modules are loaded: computing, with moments in which the loop turns.
    for (let blocks = 0; blocks < 6; blocks += 1) {
      block(limitMs / 2)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const client = await opening
    await client.end()
  })

  it('is tried again if the connection breaks', async () => {
    const server = await startFlakyServer(2)
    const engine = await openPostgres(server.url, 1)
    onTestFinished(() => engine.close())
    expect(server.connections()).toBe(3)
  })

  it('is given up after the third time, with what happened instead of a verdict', async () => {
    const server = await startFlakyServer(Number.POSITIVE_INFINITY)
    await expect(openPostgres(server.url, 1)).rejects.toThrow(
      /^The database of DATABASE_URL could not be reached: (Connection terminated unexpectedly|.*ECONNRESET)/,
    )
    expect(server.connections()).toBe(3)
  })

  it('is not tried again if the server rejects us, and the message has its reason', async () => {
    const server = await startFlakyServer(0)
    const url = new URL(server.url)
    url.pathname = '/there_is_no_such_database'
    await expect(openPostgres(url.href, 1)).rejects.toThrow(
      'The database of DATABASE_URL does not let us in: database "there_is_no_such_database" does not exist',
    )
    expect(server.connections()).toBe(1)
  })
})

/** The real server, behind one that breaks the first connections after their first message. */
async function startFlakyServer(broken: number) {
  const real = new URL(await createMigratedPostgresDatabase())
  const proxy = await startLoopback((socket) => {
    const isBroken = proxy.connections <= broken
    socket.once('data', (startup) => {
      if (isBroken) socket.destroy()
      else passOn(socket, startup, connect(Number(real.port || 5432), real.hostname))
    })
  })
  const url = new URL(real)
  url.host = `${proxy.host}:${proxy.port}`
  return { url: url.href, connections: () => proxy.connections }
}

/** Computes for so long. */
function block(ms: number): void {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; );
}
