import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredUpload, UploadSink } from '../../platform/foundation/upload-sink.ts'
import type { Archive } from './read-archive.ts'

/** Keeps an archive on disk while it is imported: it is read twice. It is encrypted, and only its owner can read the folder. */
export const uploadedArchives: UploadSink = {
  limitBytes: Number.MAX_SAFE_INTEGER,
  async store(_context, _filename, bytes) {
    const folder = await mkdtemp(join(tmpdir(), 'doorstep-shop-'))
    const hash = createHash('sha256')
    let sizeBytes = 0
    try {
      const file = await open(join(folder, 'archive'), 'wx', 0o600)
      try {
        for await (const chunk of bytes) {
          hash.update(chunk)
          sizeBytes += chunk.length
          await file.write(chunk)
        }
      } finally {
        await file.close()
      }
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    return { id: folder, sizeBytes, sha256: hash.digest('hex') }
  },
  discard: (_context, upload) => removeArchive(upload),
}

export function archiveOf({ id }: StoredUpload): Archive {
  return () => createReadStream(join(id, 'archive'))
}

export async function removeArchive({ id }: StoredUpload): Promise<void> {
  await rm(id, { recursive: true, force: true })
}
