import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import pg from 'pg'
import type { Load, Measured } from './load.ts'
import { authorization, type Kind, type Started, slugs } from './server.ts'
import { median, printTable } from './table.ts'

const connections = 32
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

type What = 'GET /healthz' | 'GET /v1/shops/{slug}' | 'PATCH /v1/shops/{slug}'

interface Cell {
  server: string
  what: What
  url: string
  measured: Measured[]
}

const children: ChildProcess[] = []
const database = process.env.BENCH_DATABASE_URL ? await createDatabase(process.env.BENCH_DATABASE_URL) : undefined
try {
  const cells = await startServers()
  // Contestants alternate, so that other load on the machine affects all of them alike.
  for (let round = 0; round < rounds; round += 1) for (const cell of cells) cell.measured.push(await measure(cell))
  report(cells)
} finally {
  for (const child of children) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await database?.drop()
}

async function startServers(): Promise<Cell[]> {
  const cells: Cell[] = []
  const add = async (server: string, kind: Kind, whats: What[], databaseUrl?: string) => {
    const url = await startServer(kind, databaseUrl)
    for (const what of whats) cells.push({ server, what, url, measured: [] })
  }
  const both: What[] = ['GET /v1/shops/{slug}', 'PATCH /v1/shops/{slug}']
  await add('bare node:http', 'node-http', both)
  await add('bare Fastify', 'fastify', both)
  await add('Doorstep, embedded', 'doorstep', ['GET /healthz', ...both])
  if (database) await add('Doorstep, PostgreSQL', 'doorstep', ['GET /healthz', ...both], database.url)
  return cells
}

async function startServer(kind: Kind, databaseUrl: string | undefined): Promise<string> {
  const child = fork('run.js', ['server.ts', kind], { env: { ...process.env, DATABASE_URL: databaseUrl } })
  children.push(child)
  const [{ url }] = (await once(child, 'message')) as [Started] // its first message
  return url
}

async function measure({ what, url }: Cell): Promise<Measured> {
  const child = fork('run.js', ['load.ts'])
  children.push(child)
  child.send({ url, connections, seconds, requests: requestsOf(what) } satisfies Load)
  const [measured] = (await once(child, 'message')) as [Measured] // its only message
  children.splice(children.indexOf(child), 1)
  child.kill()
  return measured
}

/** Over many shops: a single row would measure the wait for its lock. */
function requestsOf(what: What): Load['requests'] {
  if (what === 'GET /healthz') return [{ method: 'GET', path: '/healthz', headers: {} }]
  const headers = { authorization: authorization() }
  if (what === 'GET /v1/shops/{slug}') {
    return slugs.map((slug) => ({ method: 'GET', path: `/v1/shops/${slug}`, headers }))
  }
  const body = JSON.stringify({ name: 'River & Pine', description: 'Outdoor clothing', contact_phone: '+49 30 2' })
  return slugs.map((slug) => ({
    method: 'PATCH',
    path: `/v1/shops/${slug}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  }))
}

function report(cells: Cell[]): void {
  const rate = ({ measured }: Cell) => median(measured.map(({ requestsPerSecond }) => requestsPerSecond))
  const bareRate = (what: What) => {
    const compared = what === 'GET /healthz' ? 'GET /v1/shops/{slug}' : what
    const bare = cells.find((cell) => cell.server === 'bare Fastify' && cell.what === compared)
    return bare ? rate(bare) : Number.NaN
  }
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${connections} connections, median of ${rounds} runs of ${seconds} s each`,
  )
  printTable(
    ['what', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'of bare Fastify', 'failures'],
    [...cells]
      .sort((left, right) => left.what.localeCompare(right.what))
      .map((cell) => [
        cell.what,
        cell.server,
        rate(cell).toFixed(0),
        median(cell.measured.map(({ p50Ms }) => p50Ms)).toFixed(2),
        median(cell.measured.map(({ p99Ms }) => p99Ms)).toFixed(2),
        (rate(cell) / bareRate(cell.what)).toFixed(2),
        String(cell.measured.reduce((sum, { failures }) => sum + failures, 0)),
      ]),
  )
}

/** A database of the benchmark's own on that server, dropped at the end. */
async function createDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `doorstep_bench_${process.pid}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}
