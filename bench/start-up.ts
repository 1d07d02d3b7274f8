import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, printTable } from './table.ts'

const program = fileURLToPath(new URL('../bin/doorstep.js', import.meta.url))
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)

interface Times {
  welcomeMs: number
  healthyMs: number
}

const cold: Times[] = []
const warm: Times[] = []
for (let round = 0; round < rounds; round += 1) {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  try {
    cold.push(await timeStart(dataDir))
    warm.push(await timeStart(dataDir))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
console.log(`Node ${process.version}, embedded store, median of ${rounds} starts`)
printTable(
  ['start', 'welcome printed, ms', '/healthz responds, ms'],
  [rowOf('cold: empty DATA_DIR', cold), rowOf('warm: DATA_DIR of an earlier start', warm)],
)

function rowOf(name: string, times: Times[]): string[] {
  return [
    name,
    median(times.map(({ welcomeMs }) => welcomeMs)).toFixed(0),
    median(times.map(({ healthyMs }) => healthyMs)).toFixed(0),
  ]
}

/** Starts the service, waits until it responds and stops it. */
async function timeStart(dataDir: string): Promise<Times> {
  const port = await findFreePort()
  const begun = performance.now()
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, DEMO: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const welcomed = new Promise<number>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Doorstep is running')) resolve(performance.now() - begun)
    })
    ended.then(() => reject(new Error('the service ended before it ran')))
  })
  const [welcomeMs, healthyMs] = await Promise.all([welcomed, healthy(port).then(() => performance.now() - begun)])
  child.kill('SIGTERM')
  await ended
  return { welcomeMs, healthyMs }
}

async function healthy(port: number): Promise<void> {
  for (;;) {
    const isHealthy = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on a port, not on a path
  server.close()
  await once(server, 'close')
  return port
}
