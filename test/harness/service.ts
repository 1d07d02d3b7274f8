import { sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect } from 'vitest'
import { errorsOf } from '../../src/http/openapi/errors.ts'
import { operations } from '../../src/operations.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import { createDatabase, type Database } from '../../src/platform/store/database.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { type Service, type ServiceOptions, startService } from '../../src/service.ts'
import { clock } from './clock.ts'
import { logLines } from './log-lines.ts'
import { newFolder } from './new-folder.ts'
import { createMigratedPostgresDatabase, openMemoryStore } from './prepared-stores.ts'

export { clock, logLines }

export const superadmin = { username: 'admin', apiKey: 'superadmin-key-of-the-tests' }
export const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'embedded'

let running: Promise<Service> | undefined

/** The service of this test process, started on first use. */
export function theService(): Promise<Service> {
  running ??= openTestDatabase().then((database) => startTestService({}, database))
  return running
}

/**
 * Gives the tests of this file a service of their own, on an empty store, as `theService`: for plans, which depend on the
 * statistics of the store, and for what would disturb the other tests of the process.
 */
export function useEmptyStore(): void {
  let shared: typeof running
  beforeAll(() => {
    shared = running
    running = undefined
  })
  afterAll(async () => {
    await (await running)?.stop()
    running = shared
  })
}

/** Another node with its own settings, on the database of `theService` and without workers. */
export async function startNode(settings: Record<string, string>): Promise<Service> {
  const { database } = await theService()
  return startTestService({ ROLE: 'api', ...settings }, { ...database, close: async () => {} })
}

export async function startTestService(
  settings: Record<string, string>,
  database: Database,
  options: Pick<ServiceOptions, 'integrationUrls' | 'mailAccount' | 'providerUrls'> = {},
): Promise<Service> {
  return startService(testConfig(settings), {
    ...options,
    clock,
    database,
    listen: settings.PORT !== undefined,
    schedulesJobs: false,
    passwordCost: { logN: 4, r: 8, p: 1 },
    archiveCost: 2 ** 10,
    logDestination: { write: (line: string) => void logLines.push(line) },
  })
}

export function testConfig(settings: Record<string, string> = {}): Config {
  return readConfig({
    DATA_DIR: newFolder(),
    ADMIN_USERNAME: superadmin.username,
    ADMIN_API_KEY: superadmin.apiKey,
    ENCRYPTION_KEY: 'encryption-key-of-the-tests',
    PUBLIC_URL: 'https://doorstep.example',
    LOG_LEVEL: 'info',
    DEMO: '0',
    // Other companies' servers are on loopback here.
    CREDENTIAL_HOSTS: '127.0.0.1',
    ...settings,
  })
}

/** A new store of the engine under test, with all migrations applied. */
export async function openTestDatabase(): Promise<Database> {
  if (engine === 'embedded') return createDatabase(await openMemoryStore())
  return createDatabase(await openPostgres(await createMigratedPostgresDatabase(), 10))
}

/** The end of the write-ahead log: where it has not moved, nothing was written. */
export async function logPosition({ database }: Service): Promise<string | undefined> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(database.db)
  return rows[0]?.lsn
}

export interface Call {
  auth?: { username: string; apiKey: string } | null
  body?: unknown
  /** Sent as it is, instead of `body`. */
  payload?: string | Buffer
  query?: Record<string, string | number | boolean>
  headers?: Record<string, string>
  /** The client's address: failed log-ins are counted by it. */
  from?: string
}

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses field by field; the harness has checked their shape
  body: any
}

/** Calls the API. Checks every response against its operation's schema and declared errors. */
export async function call(method: string, path: string, options: Call = {}, service?: Service): Promise<Reply> {
  const { app } = service ?? (await theService())
  const auth = options.auth === undefined ? superadmin : options.auth
  const response = await app.inject({
    method: method as 'GET',
    url: path,
    ...(options.from ? { remoteAddress: options.from } : {}),
    ...(options.query ? { query: mapValues(options.query) } : {}),
    headers: {
      ...(auth ? { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.apiKey}`).toString('base64')}` } : {}),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.payload !== undefined
      ? { payload: options.payload }
      : options.body === undefined
        ? {}
        : { payload: JSON.stringify(options.body) }),
  })
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  const reply: Reply = {
    status: response.statusCode,
    headers: response.headers,
    text: isJson || String(response.headers['content-type'] ?? '').startsWith('text/') ? response.payload : '',
    body: isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined,
  }
  const operation = findOperation(method, path)
  if (operation) checkAgainstDeclaration(operation, reply)
  return reply
}

const errorBody = {
  key: expect.any(String),
  message: expect.any(String),
  type: expect.stringMatching(/^(api_error|invalid_request_error)$/),
  errors: expect.any(Array),
}

const compiled = new Map<string, ReturnType<typeof Compile>>()

function checkAgainstDeclaration(operation: Operation, reply: Reply): void {
  if (reply.status >= 400) {
    expect(reply.body).toEqual(errorBody)
    const declared = errorsOf(operation).map(([status, key]) => `${status} ${key}`)
    expect(declared, `${operation.name} returns an error it does not declare`).toContain(
      `${reply.status} ${reply.body.key}`,
    )
    if (reply.status === 500) {
      const cause = logLines.findLast((line) => line.includes('unexpected error'))
      expect.fail(`${operation.name}: ${reply.text} ${cause}`)
    }
    return
  }
  if (reply.body === undefined) return
  const check = compiled.get(operation.name) ?? Compile(operation.reply)
  compiled.set(operation.name, check)
  const errors = check.Check(reply.body) ? [] : check.Errors(reply.body).slice(0, 5)
  expect(errors, `${operation.name} returns what its schema does not allow`).toEqual([])
}

/** Those with the fewest parameters first. */
const patterns = operations
  .flatMap((operation) =>
    [operation.path, operation.aliasPath]
      .filter((path) => path !== undefined)
      .map((path) => ({
        operation,
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        weight: path.split('{').length,
      })),
  )
  .sort((left, right) => left.weight - right.weight)

/** The operation that a path belongs to; of several that fit, the one with the fewest parameters. */
export function findOperation(method: string, path: string): Operation | undefined {
  const bare = path.split('?')[0] ?? ''
  return patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(bare))?.operation
}

function mapValues(query: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
