import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The message of the child before the bytes of the result. */
export type DecoderReply = { rssBytes?: number } & (
  | { mediaType: string; extension: string; width: number; height: number; bytes: number }
  | Refused
  | { failed: string }
)

/** Reasons why an image was not decoded. */
export type Refused =
  | { refused: 'unreadable'; error?: string }
  | { refused: 'too_many_pixels'; maxPixels: number }
  | { refused: 'too_many_scans'; maxScans: number }
  | { refused: 'too_costly'; kind: string; decodedBytes: number; maxBytes: number }
  | { refused: 'too_large'; maxBytes: number }
  | { refused: 'memory' | 'time' | 'crash' }

export interface Decoded {
  reply: DecoderReply
  data: Buffer
}

const script = fileURLToPath(new URL('./decoder-child.js', import.meta.url))

/** One process that decodes images, one after the other. It ends with the process that started it. */
export class DecoderProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  #hasEnded = false

  constructor({ memoryBytes, cpuMs }: { memoryBytes: number; cpuMs: number }) {
    // It needs no settings, so what breaks into it finds no secrets there. Freed memory goes back to the system.
    const env = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
    this.#child = spawn(process.execPath, ['--max-old-space-size=64', script, String(memoryBytes), String(cpuMs)], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    })
    const onEnd = () => {
      this.#hasEnded = true
    }
    this.#child.once('exit', onEnd).once('error', onEnd)
    this.#child.stdin.on('error', () => {}) // it has ended, which is noticed above
    this.#child.unref()
    for (const pipe of [this.#child.stdin, this.#child.stdout]) if ('unref' in pipe) (pipe.unref as () => void)()
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Decodes an image. After the limit it returns `time`, and the caller has to kill the process. */
  decode(image: Uint8Array, limitMs: number): Promise<Decoded> {
    const { stdin, stdout } = this.#child
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish({ reply: { refused: 'time' }, data: Buffer.alloc(0) }), limitMs)
      const onEnd = () => finish({ reply: { refused: 'crash' }, data: Buffer.alloc(0) })
      const onError = (error: Error) => finish({ reply: { failed: error.message }, data: Buffer.alloc(0) })
      const reader = new ReplyReader((decoded) => finish(decoded))
      const onData = (chunk: Buffer) => reader.take(chunk)
      const finish = (decoded: Decoded) => {
        clearTimeout(timer)
        stdout.off('data', onData)
        this.#child.off('close', onEnd).off('error', onError)
        resolve(decoded)
      }
      stdout.on('data', onData)
      this.#child.once('close', onEnd).once('error', onError)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(image.byteLength)
      stdin.write(length)
      stdin.write(image)
    })
  }

  async kill(): Promise<void> {
    if (this.#hasEnded) return
    this.#child.ref()
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}

/** Puts a line of JSON, and as many bytes as it says, together. */
class ReplyReader {
  readonly #onComplete: (decoded: Decoded) => void
  #line: Buffer = Buffer.alloc(0)
  #decoded: Decoded | undefined
  #received = 0

  constructor(onComplete: (decoded: Decoded) => void) {
    this.#onComplete = onComplete
  }

  take(chunk: Buffer): void {
    let rest = chunk
    if (this.#decoded === undefined) {
      const seen = this.#line.length
      this.#line = Buffer.concat([this.#line, chunk])
      const end = this.#line.indexOf(0x0a, seen)
      if (end === -1) return
      const reply = JSON.parse(this.#line.toString('utf8', 0, end)) as DecoderReply // our own script writes it
      this.#decoded = { reply, data: Buffer.allocUnsafe('bytes' in reply ? reply.bytes : 0) }
      rest = this.#line.subarray(end + 1)
    }
    const { data } = this.#decoded
    this.#received += rest.copy(data, this.#received)
    if (this.#received === data.length) this.#onComplete(this.#decoded)
  }
}
