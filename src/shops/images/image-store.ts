import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { randomText } from '../../platform/foundation/ids.ts'
import { makePrivateFolder } from '../../platform/store/private-folder.js'
import type { ImageStore } from './image-storage.ts'
import { createS3Store } from './s3-store.ts'

/** Stores images in an S3-compatible store if one is configured, otherwise in the data folder. */
export function createImageStore(config: Pick<Config, 'dataDir' | 's3'>): ImageStore {
  return config.s3 ? createS3Store(config.s3) : createFolderStore(join(config.dataDir, 'images'))
}

function createFolderStore(folder: string): ImageStore {
  return {
    async put(key, bytes) {
      const path = pathOf(folder, key)
      makePrivateFolder(folder)
      // No key starts with a dot, so a half-written file can never be read as an image.
      const unfinished = join(folder, `.${key}.${randomText(8)}`)
      try {
        await writeThrough(unfinished, bytes)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await syncFolder(folder)
    },
    async get(key) {
      try {
        return await readFile(pathOf(folder, key))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async delete(key) {
      await rm(pathOf(folder, key), { force: true })
    },
  }
}

function pathOf(folder: string, key: string): string {
  if (!/^\w[\w.-]{0,199}$/.test(key)) throw new Error(`not an image key: ${JSON.stringify(key)}`)
  return join(folder, key)
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename is durable only after its folder is synced. Windows has no such call and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
