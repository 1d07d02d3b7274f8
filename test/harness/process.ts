import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { oncePerRun } from './once-per-run.ts'
import { patienceMs, until } from './patience.ts'
import { writeMigratedStore } from './prepared-stores.ts'

const checkout = fileURLToPath(new URL('../../bin/doorstep.js', import.meta.url))
const movableClock = fileURLToPath(new URL('./movable-clock.cjs', import.meta.url))

/**
 * Optimising the embedded store and JavaScript does not pay in a process that lives for seconds, and collecting garbage
 * can wait until the start is over. Together, the flags halve the processor time of a start.
 */
const flags = ['--liftoff-only', '--no-opt', '--min-semi-space-size=16', '--max-semi-space-size=32']

export interface Credentials {
  username: string
  apiKey: string
}

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

/** One process of the service, as an operator would start it. */
export interface ServiceProcess {
  child: ChildProcess
  /** Its standard output so far. */
  output(): string
  /** Its standard error so far. */
  complaints(): string
  ended: Promise<Ending>
  /** Moves its clock forward, if it was started with a movable clock. */
  advance(ms: number): Promise<void>
  /** Sets the clock of its machine forward or, by a negative number, back; as much time has passed as before. */
  setClock(byMs: number): Promise<void>
}

/** Registers a clean-up for the end of the test or of another owner. */
export type Cleanup = (clean: () => Promise<void>) => void

export interface LaunchOptions {
  /** The command and its arguments; default: the service. */
  args?: readonly string[]
  hasMovableClock?: boolean
  /** Its output is a terminal, made by the command `script`. */
  hasTerminal?: boolean
  /** The program to start instead of this checkout's bin/doorstep.js. */
  program?: string
  /** The Node that runs it; by default, that of the tests. */
  node?: string
  /** By default, a process ends with the test that started it. */
  cleanup?: Cleanup
}

export interface RunningProcess extends ServiceProcess {
  /** The address it reports, as a number, so that no DNS lookup is needed. */
  url: string
  port: number
  /** The credentials it printed, if it did. */
  credentials: Credentials | undefined
}

/** A folder for the test, removed after it. */
export function makeFolder(cleanup: Cleanup = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-process-'))
  cleanup(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The superadmin in a folder of `makeStore`. */
export const operator: Credentials = { username: 'admin', apiKey: 'a-key-of-the-operator' }

/** A folder with the database of an earlier start: the next start is seconds faster than a first one. */
export async function makeStore(cleanup?: Cleanup): Promise<string> {
  const prepared = await oncePerRun('store', async (path) => {
    await writeMigratedStore(path)
    const service = await start({ DATA_DIR: path, ADMIN_API_KEY: operator.apiKey }, { cleanup })
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    // A key that was given is not printed.
    expect(service.output() + service.complaints()).not.toContain(operator.apiKey)
  })
  const folder = makeFolder(cleanup)
  cpSync(prepared, folder, { recursive: true })
  return folder
}

/** Starts the service with only these settings, without the environment of the tests. */
export function launch(
  settings: Record<string, string>,
  {
    args = [],
    hasMovableClock = false,
    hasTerminal = false,
    program = checkout,
    node = process.execPath,
    cleanup = onTestFinished,
  }: LaunchOptions = {},
): ServiceProcess {
  const command = [node, ...flags, ...(hasMovableClock ? ['--require', movableClock] : []), program, ...args]
  const [file = '', ...given] = hasTerminal ? ['script', '-qefc', `exec ${command.join(' ')}`, '/dev/null'] : command
  const child = spawn(file, given, {
    // Tests that run at the same time share a server, which allows 100 connections.
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DEMO: '0', DATABASE_POOL: '4', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasMovableClock ? ['ipc' as const] : [])],
  })
  if (child.stdout === null || child.stderr === null) throw new Error('its output is not piped')
  const read = { output: '', complaints: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    read.output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    read.complaints += text
  })
  const ended = new Promise<Ending>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  cleanup(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const move = async (by: { advance?: number; set?: number }) => {
    const moved = once(child, 'message')
    child.send(by, () => {}) // it may have ended by now
    await Promise.race([moved, ended])
  }
  return {
    child,
    output: () => read.output,
    complaints: () => read.complaints,
    ended,
    advance: (ms) => move({ advance: ms }),
    setClock: (byMs) => move({ set: byMs }),
  }
}

/** Starts the service and waits until it reports that it runs. */
export async function start(settings: Record<string, string>, options?: LaunchOptions): Promise<RunningProcess> {
  return running(launch(settings, options))
}

/** Starts something once for all tests of the `describe` block that this is called in, and ends it after them. */
export function sharedByTests<Shared>(make: (cleanup: Cleanup) => Promise<Shared>): () => Shared {
  const cleanups: (() => Promise<void>)[] = []
  let shared: Shared | undefined
  beforeAll(async () => {
    shared = await make((clean) => void cleanups.push(clean))
  })
  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean()
  })
  return () => {
    if (shared === undefined) throw new Error('it is there once the tests run, not while they are collected')
    return shared
  }
}

/** Waits until a launched process reports that it runs. */
export async function running(launched: ServiceProcess): Promise<RunningProcess> {
  const welcomed = until(() => (launched.output().includes('Ctrl+C stops it') ? launched.output() : undefined))
  const failed = launched.ended.then(({ code }) => {
    throw new Error(`the service ended with ${code} before it ran: ${launched.complaints()}`)
  })
  const output = await Promise.race([welcomed, failed])
  const [, scheme, port] = /running at (https?):\/\/\S+:(\d+)/.exec(output) ?? []
  const username = /username {2}(\S+)/.exec(output)?.[1]
  const apiKey = /API key {3}(\S+)/.exec(output)?.[1]
  return {
    ...launched,
    url: `${scheme}://127.0.0.1:${port}`,
    port: Number(port),
    credentials: username === undefined || apiKey === undefined ? undefined : { username, apiKey },
  }
}

interface ApiCall {
  body?: unknown
  /** How long the client waits for a response. */
  limitMs?: number
}

/** Calls the API over the network. */
export async function callApi(
  { url }: Pick<RunningProcess, 'url'>,
  credentials: Credentials | undefined,
  /** Method and path. */
  request: string,
  { body, limitMs = patienceMs() }: ApiCall = {},
): Promise<{ status: number; body: unknown }> {
  const [method = '', ...path] = request.split(' ')
  const response = await fetch(`${url}${path.join(' ')}`, {
    method,
    signal: AbortSignal.timeout(limitMs),
    headers: {
      ...(credentials ? { authorization: basic(credentials) } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

export function basic({ username, apiKey }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`
}

export async function makeShop(
  service: Pick<RunningProcess, 'url'>,
  credentials: Credentials | undefined,
  slug: string,
): Promise<void> {
  expect(await callApi(service, credentials, 'POST /v1/shops', { body: { name: slug, slug } })).toMatchObject({
    status: 200,
  })
}

/** A bare connection, closed after the test. */
export function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      // A killed service resets its connections.
      socket.removeListener('error', reject).on('error', () => {})
      resolve(socket)
    })
  })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
