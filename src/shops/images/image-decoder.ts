import { minuteMs, secondMs } from '../../platform/foundation/clock.ts'
import { FairQueue, type QueuedCaller } from '../../platform/foundation/fair-queue.ts'
import { type Decoded, DecoderProcess } from './decoder-process.ts'

declare module '../../platform/foundation/services.ts' {
  interface Services {
    readonly imageDecoder: ImageDecoder
  }
}

export interface DecoderLimits {
  waiting: { known: number; others: number }
  /** Processor time, and the time after which the process is killed because it hangs. */
  cpuMs: number
  timeMs: number
  /** Of the whole process, 60 MB of which are Node and the library. */
  memoryBytes: number
  /** A process without an image ends after this long; the next image starts another, which takes 200 ms. */
  idleMs: number
}

const usualLimits: DecoderLimits = {
  waiting: { known: 20, others: 20 },
  cpuMs: 15 * secondMs,
  timeMs: minuteMs,
  memoryBytes: 384_000_000,
  idleMs: minuteMs,
}

/** A process that keeps more than this after an image is replaced: the next image must not pay for the one before. */
const maxRestBytes = 200_000_000

/**
 * Decodes uploaded images one at a time, in a process of its own: an image can take a second of processor time and hundreds of
 * megabytes, and hostile ones more. In this process it would also take threads that look up hosts and read files.
 */
export class ImageDecoder {
  readonly #limits: DecoderLimits
  readonly #queue: FairQueue
  #process: DecoderProcess | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #count = 0

  constructor(limits: Partial<DecoderLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits }
    this.#queue = new FairQueue({ atOnce: 1, waiting: this.#limits.waiting })
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  /** How many images the process has been given. */
  get count(): number {
    return this.#count
  }

  /** The process, while there is one. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Reads the image only when its decoding starts: waiting takes no memory. Rejects with `NotRun` if it never does. */
  decode(read: () => Promise<Uint8Array>, caller: QueuedCaller): Promise<Decoded> {
    return this.#queue.run(caller, async () => this.#decodeNow(await read()))
  }

  async close(): Promise<void> {
    await this.#end()
  }

  async #decodeNow(image: Uint8Array): Promise<Decoded> {
    clearTimeout(this.#idleTimer)
    if (this.#process?.hasEnded) this.#process = undefined
    const isFirst = this.#process === undefined
    this.#process ??= new DecoderProcess(this.#limits)
    this.#count += 1
    const decoded = await this.#process.decode(image, this.#limits.timeMs)
    const { reply } = decoded
    if (!isFirst && 'refused' in reply && reply.refused === 'crash') {
      // It may have ended because of the image before.
      await this.#end()
      return this.#decodeNow(image)
    }
    const isSpent = 'refused' in reply && ['memory', 'time', 'crash'].includes(reply.refused)
    if (isSpent || 'failed' in reply || (reply.rssBytes ?? 0) > maxRestBytes) await this.#end()
    else this.#idleTimer = setTimeout(() => void this.#end(), this.#limits.idleMs).unref()
    return decoded
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const ended = this.#process
    this.#process = undefined
    await ended?.kill()
  }
}
