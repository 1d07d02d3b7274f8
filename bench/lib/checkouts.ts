import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOwnDatabase } from './own-database.ts'
import { type RunningService, startServiceProcess } from './service.ts'

/** A state of the product that is measured. */
export interface Checkout {
  name: 'before' | 'after'
  /** The program to start, if it is not this checkout. */
  program: string | undefined
}

/** The checkout at `BENCH_BEFORE`, and this one: measured in one run, so that other load on the machine affects both. */
export function checkoutsToCompare(): [before: Checkout, after: Checkout] {
  const path = process.env.BENCH_BEFORE
  if (path === undefined) throw new Error('Set BENCH_BEFORE to the folder of the checkout to compare with.')
  return [
    { name: 'before', program: join(path, 'bin/doorstep.js') },
    { name: 'after', program: undefined },
  ]
}

/** A checkout in a process of its own, on a new store: PostgreSQL if `BENCH_DATABASE_URL` is set, otherwise the embedded one. */
export async function startCheckout(
  { name, program }: Checkout,
  settings: Record<string, string> = {},
): Promise<RunningService> {
  const server = process.env.BENCH_DATABASE_URL
  const own = server === undefined ? newFolder() : await createOwnDatabase(server, `_${name}`)
  const store = 'url' in own ? { DATABASE_URL: own.url } : { DATA_DIR: own.path }
  const service = await startServiceProcess(store, 'all', settings, { program })
  return {
    ...service,
    async stop() {
      await service.stop()
      await own.drop()
    },
  }
}

function newFolder(): { path: string; drop(): Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  return { path, drop: async () => rmSync(path, { recursive: true, force: true }) }
}

/** How often the one is of the other, for a table. */
export function ratio(value: number, base: number): string {
  return (value / base).toFixed(2)
}
