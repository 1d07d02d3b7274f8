import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { randomText } from '../platform/foundation/ids.ts'

/**
 * A file for what is too large for memory. It is unlinked as soon as it is open: no other process can open it, and it is gone
 * when it is closed or the process ends, even by a crash.
 */
export class TemporaryFile {
  readonly #handle: FileHandle
  #sizeBytes = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(folder: string): Promise<TemporaryFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomText(24))
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new TemporaryFile(handle)
  }

  async append(chunk: Uint8Array): Promise<void> {
    let written = 0
    while (written < chunk.length) {
      const { bytesWritten } = await this.#handle.write(chunk, written, chunk.length - written, this.#sizeBytes)
      written += bytesWritten
      this.#sizeBytes += bytesWritten
    }
  }

  /** All that was appended. */
  async read(): Promise<Buffer> {
    const bytes = Buffer.alloc(this.#sizeBytes)
    let position = 0
    while (position < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, position, bytes.length - position, position)
      if (bytesRead === 0) throw new Error('a temporary file ended too early')
      position += bytesRead
    }
    return bytes
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
