import { execFile, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { createDatabase } from '../../src/platform/store/database.ts'
import { openPostgres } from '../../src/platform/store/postgres.ts'
import { findClosedPort } from './loopback.ts'
import { oncePerRun } from './once-per-run.ts'
import type { Cleanup } from './process.ts'

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export function findPostgresPrograms(): string | undefined {
  const { stdout, status } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).map((version) => join(packaged, version, 'bin')) : []
  return [...(status === 0 ? [stdout.trim()] : []), ...versions].find((folder) => existsSync(join(folder, 'initdb')))
}

export interface PostgresServer {
  port: number
  url: string
  start(): Promise<void>
  /** Closes every connection at once without a checkpoint, as in a crash. */
  crash(): Promise<void>
  /** SIGKILL to all its processes: not even a connection is closed in an orderly way. */
  kill(): void
  /** Stops all its processes until they are resumed: connections stay open, and nothing responds. */
  freeze(): void
  resume(): void
  /** Makes a standby the primary. */
  promote(): Promise<void>
}

export interface PostgresPair {
  primary: PostgresServer
  /** Has every commit before the primary acknowledges it. */
  standby: PostgresServer
  /** Both hosts in one address. */
  url: string
}

/** A separate server on a free port and in its own folder, removed after the test. */
export async function startPostgresServer(programs: string, cleanup?: Cleanup): Promise<PostgresServer> {
  const cluster = await newCluster(programs, cleanup)
  await copyFiles(await prepareCluster(programs), cluster.data)
  await cluster.server.start()
  return cluster.server
}

/** The files of a server whose database has all migrations, but no rows. */
function prepareCluster(programs: string): Promise<string> {
  return oncePerRun('postgres-cluster', async (path) => {
    const cleanups: (() => Promise<void>)[] = []
    const cluster = await newCluster(programs, (clean) => void cleanups.push(clean))
    try {
      await cluster.create('initdb', ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
      await cluster.server.start()
      await (await createDatabase(await openPostgres(cluster.server.url, 1))).close()
      await cluster.stop()
      await copyFiles(cluster.data, path)
    } finally {
      for (const clean of cleanups) await clean()
    }
  })
}

/** With their owner, as whom the server runs. */
async function copyFiles(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-pR', from, to])
}

/** A primary with a synchronous standby. */
export async function startPostgresPair(programs: string, cleanup?: Cleanup): Promise<PostgresPair> {
  const first = await newCluster(programs, cleanup)
  await copyFiles(await prepareCluster(programs), first.data)
  appendFileSync(join(first.data, 'postgresql.conf'), "\nsynchronous_standby_names = '*'\nsynchronous_commit = on\n")
  await first.server.start()
  const second = await newCluster(programs, cleanup)
  await second.create('pg_basebackup', [
    ...['-h', '127.0.0.1', '-p', String(first.server.port), '-U', 'postgres'],
    ...['--checkpoint=fast', '--wal-method=stream', '--write-recovery-conf', '--no-sync'],
  ])
  // It must not wait for a standby of its own once it is the primary.
  appendFileSync(join(second.data, 'postgresql.conf'), "\nsynchronous_standby_names = ''\n")
  await second.server.start()
  const url = `postgres://postgres@127.0.0.1:${first.server.port},127.0.0.1:${second.server.port}/postgres?target_session_attrs=read-write`
  return { primary: first.server, standby: second.server, url }
}

async function newCluster(programs: string, cleanup: Cleanup = onTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-postgres-'))
  chmodSync(folder, 0o777) // another user may have to write to it
  const data = join(folder, 'data')
  const log = join(folder, 'log')
  const port = await findClosedPort()
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
  const control = (...words: string[]) => run(join(programs, 'pg_ctl'), ['-D', data, '-w', '-t', '30', ...words])
  const lock = join(data, 'postmaster.pid')
  const readPostmaster = () => Number(readFileSync(lock, 'utf8').split('\n')[0])
  const signal = (name: NodeJS.Signals) => {
    const postmaster = readPostmaster()
    for (const id of [...childrenOf(postmaster), postmaster]) {
      try {
        process.kill(id, name)
      } catch {
        // It has ended by itself.
      }
    }
  }
  const server: PostgresServer = {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      // To PostgreSQL, a killed server is alive until the machine's first process has taken note of its end.
      if (existsSync(lock) && hasEnded(readPostmaster())) {
        rmSync(lock)
        rmSync(join(folder, `.s.PGSQL.${port}.lock`), { force: true })
      }
      try {
        await control('-l', log, '-o', options, 'start')
      } catch (error) {
        const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
        throw new Error(`the server has not started:\n${lines.slice(-12).join('\n')}`, { cause: error })
      }
    },
    crash: () => control('-m', 'immediate', 'stop'),
    kill: () => signal('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    promote: () => control('promote'),
  }
  cleanup(async () => {
    try {
      if (existsSync(lock)) {
        signal('SIGCONT')
        await server.crash().catch(() => {}) // it may have been killed
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  const create = (program: string, words: string[]) => run(join(programs, program), ['-D', data, ...words])
  return { server, data, create, stop: () => control('-m', 'fast', 'stop') }
}

function childrenOf(id: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(id)], { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean).map(Number)
}

/** Also if it is still listed, as a zombie. */
function hasEnded(id: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' })
  return stdout.trim() === '' || stdout.startsWith('Z')
}

/** PostgreSQL does not run as root: then it runs as the user that its packages create. */
async function run(program: string, words: string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0
  const quoted = [program, ...words].map((word) => `'${word}'`).join(' ')
  const child = isRoot
    ? spawn('su', ['postgres', '-s', '/bin/sh', '-c', quoted], { cwd: '/', stdio: 'ignore' })
    : spawn(program, words, { cwd: '/', stdio: 'ignore' })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}`)
}
