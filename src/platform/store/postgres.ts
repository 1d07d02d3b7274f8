import { AddressError, parseAddress } from './address.ts'
import type { Engine } from './engine.ts'
import { isFromServer, isReadOnly, storeErrorOf } from './errors.ts'
import { Listener } from './listener.ts'
import { preparing } from './prepared.ts'
import { Primary } from './primary.ts'
import { SlowStatements } from './slow-statements.ts'

/** The database cannot be reached, or rejects us; the message says why, without the address and the password. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown, setting = 'DATABASE_URL') {
    super(messageOf(cause, setting))
    this.name = 'DatabaseUnreachable'
  }
}

function messageOf(cause: unknown, setting: string): string {
  if (cause instanceof AddressError) return `${setting} is wrong: ${cause.message}.`
  if (isFromServer(cause)) return `The database of ${setting} does not let us in: ${reasonOf(cause)}`
  return `The database of ${setting} could not be reached: ${reasonOf(cause)}`
}

function reasonOf(cause: unknown): string {
  // If a name has several addresses, each has failed for a reason of its own.
  const [first = cause] = cause instanceof AggregateError ? cause.errors : []
  return first instanceof Error ? first.message : String(first)
}

const defaultStatementMs = 60_000

/** PostgreSQL over the network: a pool for the work, and one connection that listens. */
export async function openPostgres(url: string, poolSize: number, statementMs = defaultStatementMs): Promise<Engine> {
  const primary = await findPrimary(url, poolSize)
  const listener = new Listener(primary)
  const slowStatements = new SlowStatements()
  const connect = async () => {
    try {
      const { client, server } = await primary.connect()
      return preparing(client, {
        release: () => client.release(),
        slowStatements,
        statementMs: statementMs === 0 ? undefined : statementMs,
        onError: (error) => {
          // The primary is another one by now. What else is in flight there fails as well.
          if (isReadOnly(error)) primary.leave(server, 'at once')
        },
      })
    } catch (error) {
      throw storeErrorOf(error, false)
    }
  }
  const close = async () => {
    await listener.close()
    await primary.close()
  }
  return {
    engine: 'postgres',
    pool: { connect, end: () => primary.close() },
    slowStatements,
    listen: (channel, handle) =>
      listener.listen(channel, handle).catch((error) => {
        throw storeErrorOf(error, false)
      }),
    listeningSince: () => listener.since,
    onReturn: (handle) => primary.onChange((server) => server && handle()),
    checksClients: () => primary.checksClients,
    close,
  }
}

async function findPrimary(url: string, poolSize: number): Promise<Primary> {
  try {
    const primary = new Primary(parseAddress(url), poolSize)
    await primary.open()
    return primary
  } catch (error) {
    throw new DatabaseUnreachable(error)
  }
}
