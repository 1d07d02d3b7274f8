import { createHash } from 'node:crypto'
import { after, minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { toStorableText } from '../../platform/foundation/storable-text.ts'
import type { UploadSink } from '../../platform/foundation/upload-sink.ts'
import { appendChunk, beginFile, chunkBytes, deleteFile } from './file-store.ts'

/** A file without new data for this long was cut off, with the process that received it. */
const patienceMs = 10 * minuteMs

/**
 * Stores the file of an import as it arrives. Each chunk is a write of its own: one transaction for all of
 * them would occupy a connection, or the whole embedded store, for as long as a slow upload takes.
 */
export const importFiles: UploadSink = {
  async store(context, filename, bytes) {
    const id = newId(context.now)
    const until = () => after(context.services.clock.now(), patienceMs)
    await beginFile(context, id, cleanName(filename), until())
    try {
      const hash = createHash('sha256')
      let sizeBytes = 0
      let number = 0
      for await (const chunk of inChunks(bytes)) {
        hash.update(chunk)
        sizeBytes += chunk.length
        if (!(await appendChunk(context, id, number, chunk, until()))) throw new Error('the upload was abandoned')
        number += 1
      }
      return { id, sizeBytes, sha256: hash.digest('hex') }
    } catch (error) {
      await discard(context, id)
      throw error
    }
  },
  discard: (context, { id }) => discard(context, id),
}

function discard(context: ShopContext, id: string): Promise<void> {
  return deleteFile(context, { shop_id: context.shop.id, id })
}

/** The same bytes in chunks that are all of one size but the last. */
async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    waiting.push(piece)
    size += piece.length
    if (size < chunkBytes) continue
    const all = Buffer.concat(waiting)
    let from = 0
    for (; from + chunkBytes <= all.length; from += chunkBytes) yield all.subarray(from, from + chunkBytes)
    waiting = [all.subarray(from)]
    size = all.length - from
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** The name that the browser sent, without folders, as it can be stored. */
function cleanName(filename: string | undefined): string {
  const name = (filename ?? '').split(/[\\/]/).at(-1) ?? ''
  return toStorableText(name, 255)
}
