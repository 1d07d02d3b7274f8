import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const ownProgram = fileURLToPath(new URL('bin/doorstep.js', root))
/** The flags that `npm start` gives to Node. */
export const startFlags = flagsOf(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).scripts.start)

export const serviceSettings = {
  HOST: '127.0.0.1',
  ADMIN_USERNAME: 'admin',
  ADMIN_API_KEY: 'the-key-of-the-benchmark',
  ENCRYPTION_KEY: 'encryption-key-of-the-benchmark',
  LOG_LEVEL: 'warn',
  DEMO: '0',
}

export const authorization = `Basic ${Buffer.from(`${serviceSettings.ADMIN_USERNAME}:${serviceSettings.ADMIN_API_KEY}`).toString('base64')}`

export interface RunningService {
  port: number
  pid: number
  stop(): Promise<void>
}

interface ProcessOptions {
  /** The file descriptor of its log. */
  log?: number
  /** Further flags of Node. */
  flags?: string[]
  /** The program to start if it is not this checkout's. */
  program?: string | undefined
}

/** The service as it runs in production: a separate process, on the given database. */
export async function startServiceProcess(
  store: { DATABASE_URL: string } | { DATA_DIR: string },
  role: 'all' | 'api' | 'worker' = 'all',
  settings: Record<string, string> = {},
  { log, flags = [], program = ownProgram }: ProcessOptions = {},
): Promise<RunningService> {
  const port = await findFreePort()
  const allFlags = [...startFlags, ...flags, ...(process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)]
  const child = spawn(process.execPath, [...allFlags, program], {
    env: {
      PATH: process.env.PATH,
      ...serviceSettings,
      ...store,
      ...processes(store),
      ...settings,
      ROLE: role,
      PORT: String(port),
    },
    stdio: ['ignore', log ?? 'ignore', 'inherit'],
  })
  await untilReady(port, child)
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function flagsOf(command: string): string[] {
  return command.split(' ').filter((word) => word.startsWith('--'))
}

/** One, unless `BENCH_PROCESSES` is set. The embedded store always belongs to one process. */
function processes(store: object): { PROCESSES?: string } {
  const wanted = process.env.BENCH_PROCESSES
  return wanted === undefined || !('DATABASE_URL' in store) ? {} : { PROCESSES: wanted }
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the service ended before it ran')
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on a port, not on a path
  server.close()
  await once(server, 'close')
  return port
}
