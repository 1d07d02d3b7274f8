import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { ImageStore } from '../../foundation/operation.ts'

/** Images lie in the data folder, or in an S3-compatible store where one is configured. */
export function createImageStore(config: Pick<Config, 'dataDir' | 's3'>): ImageStore {
  return createFolderStore(join(config.dataDir, 'images'))
}

function createFolderStore(folder: string): ImageStore {
  return {
    async put(key, bytes) {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, key), bytes)
    },
    async get(key) {
      return readFile(join(folder, key)).catch(() => undefined)
    },
    async delete(key) {
      await rm(join(folder, key), { force: true })
    },
  }
}
