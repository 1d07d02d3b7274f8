import { ArchiveError } from './format.ts'

/** Reads a stream of bytes by length. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffer: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes. */
  async read(length: number): Promise<Buffer> {
    if (!(await this.#fill(length))) throw cutOff()
    return this.#take(length)
  }

  /** Up to the line break, without it. */
  async readLine(maxLength: number): Promise<string> {
    for (let length = 1; ; length = this.#buffer.length + 1) {
      const end = this.#buffer.indexOf(0x0a)
      if (end >= 0 && end <= maxLength) {
        const line = this.#take(end).toString('utf8')
        this.#take(1)
        return line
      }
      if (end > maxLength || this.#buffer.length > maxLength || !(await this.#fill(length))) {
        throw new ArchiveError('The file is not an archive of Doorstep.')
      }
    }
  }

  /** True if no byte is left. */
  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill(1))
  }

  /** Ends the source, if not all of it was read. */
  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #fill(length: number): Promise<boolean> {
    if (this.#buffer.length >= length) return true
    const parts = [this.#buffer]
    let size = this.#buffer.length
    while (size < length) {
      const { done, value } = await this.#source.next()
      if (done) break
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      size += value.byteLength
    }
    this.#buffer = parts.length === 1 ? this.#buffer : Buffer.concat(parts)
    return size >= length
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    return taken
  }
}

function cutOff(): ArchiveError {
  return new ArchiveError('The file is incomplete: its end is missing.')
}
