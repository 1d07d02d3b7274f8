import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findClosedPort } from './loopback.ts'

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export function findPostgresPrograms(): string | undefined {
  const { stdout, status } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).map((version) => join(packaged, version, 'bin')) : []
  return [...(status === 0 ? [stdout.trim()] : []), ...versions].find((folder) => existsSync(join(folder, 'initdb')))
}

export interface PostgresServer {
  url: string
  start(): Promise<void>
  /** Closes every connection at once without a checkpoint, as in a crash. */
  crash(): Promise<void>
}

/** A separate server on a free port and in its own folder, removed after the test. */
export async function startPostgresServer(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-postgres-'))
  chmodSync(folder, 0o777) // another user may have to write to it
  const data = join(folder, 'data')
  const port = await findClosedPort()
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
  const control = (...words: string[]) => run(join(programs, 'pg_ctl'), ['-D', data, '-w', '-t', '30', ...words])
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const server = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => control('-l', join(folder, 'log'), '-o', options, 'start'),
    crash: () => control('-m', 'immediate', 'stop'),
  }
  onTestFinished(async () => {
    try {
      await server.crash()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  await server.start()
  return server
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
