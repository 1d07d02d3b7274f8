import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { residentMb } from '../lib/proc.ts'

/** Flags of Node for the processes that are watched. */
export const collectFlags = ['--expose-gc', `--import=${new URL('./collect-on-signal.js', import.meta.url).href}`]

/** The memory of the processes right after they have collected their garbage, in MB. */
export interface LiveMemory {
  /** JavaScript's heaps, and what belongs to their objects outside of them. */
  usedMb: number
  residentMb: number
}

/** Undefined if one of them ends meanwhile, or takes longer than 30 s. */
export async function collect(folder: string, pids: number[]): Promise<LiveMemory | undefined> {
  mkdirSync(folder, { recursive: true })
  const paths = pids.map((pid) => join(folder, String(pid)))
  for (const path of paths) rmSync(path, { force: true })
  for (const pid of pids) process.kill(pid, 'SIGUSR2')
  for (let tries = 0; !paths.every(existsSync); tries += 1) {
    if (tries > 600) return undefined
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const used = paths.map((path) => {
    const { heapUsed, external } = JSON.parse(readFileSync(path, 'utf8')) as NodeJS.MemoryUsage // written by us
    return (heapUsed + external) / 1_048_576
  })
  const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
  return { usedMb: total(used), residentMb: total(pids.map((pid) => residentMb(pid) ?? 0)) }
}
