// @ts-check
// Loaded into the service's processes by the soak test, with --expose-gc. On SIGUSR2, a process collects its garbage and
// writes what it still uses to a file.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.SOAK_MEMORY_FOLDER
if (isMainThread && folder) {
  process.on('SIGUSR2', async () => {
    // Resources that the first collection finds unused close in between, and the second collects them.
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
    globalThis.gc?.()
    const path = join(folder, String(process.pid))
    writeFileSync(`${path}.part`, JSON.stringify(process.memoryUsage()))
    renameSync(`${path}.part`, path)
  })
}
