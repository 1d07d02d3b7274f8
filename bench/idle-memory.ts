import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startFlags } from './lib/service.ts'
import { printTable } from './table.ts'

// The memory of an idle service with the embedded store and its demo shop: at its first start, which makes the shop, and at its
// second. BENCH_FLAGS are further flags of Node. Linux only.
const program = fileURLToPath(new URL('../bin/doorstep.js', import.meta.url))
const flags = [...startFlags, ...(process.env.BENCH_FLAGS ?? '').split(' ').filter(Boolean)]
const lookedAtSeconds = [15, 30, 60, 90]

const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
try {
  const rows = [await measure('first start'), await measure('second start')]
  printTable(['resident memory, MB, after', ...lookedAtSeconds.map((seconds) => `${seconds} s`)], rows)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(name: string): Promise<string[]> {
  const child = spawn(process.execPath, [...flags, program], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' },
    stdio: 'ignore',
  })
  const startedAt = performance.now()
  const figures: string[] = []
  for (const seconds of lookedAtSeconds) {
    await pause(seconds * 1_000 - (performance.now() - startedAt))
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    figures.push((Number(kilobytes) / 1_024).toFixed(0))
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  return [name, ...figures]
}
