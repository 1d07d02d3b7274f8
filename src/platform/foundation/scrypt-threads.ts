import type { ScryptOptions } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { minuteMs } from './clock.ts'

export interface KeyRequest {
  secret: Uint8Array
  salt: Uint8Array
  bytes: number
  options: ScryptOptions
}

/** Result of the thread: the key, or the error. */
type Derived = { key: Uint8Array } | { error: unknown }

/** A thread without work ends after this long; the next key starts another, which takes 30 ms. */
const maxIdleMs = minuteMs

/**
 * Runs scrypt in threads of its own. Node's asynchronous scrypt runs in the four threads of the process that also look up
 * hosts, read files and compress responses: each hash of a second would keep one of them from doing so. As many keys are
 * derived at once as callers request: they limit how many.
 */
export class ScryptThreads {
  readonly #idle: IdleThread[] = []
  readonly #all = new Set<Worker>()

  async derive(request: KeyRequest): Promise<Buffer> {
    const thread = this.#takeIdle() ?? this.#start()
    thread.ref()
    const derived = await replyOf(thread, request)
    this.#rest(thread)
    if ('error' in derived) throw derived.error
    return Buffer.from(derived.key)
  }

  async close(): Promise<void> {
    while (this.#takeIdle());
    await Promise.all([...this.#all].map((thread) => thread.terminate()))
  }

  #start(): Worker {
    const thread = new Worker(new URL('./scrypt-thread.js', import.meta.url), {
      execArgv: [],
      // The memory of scrypt is not JavaScript's: the thread itself needs little.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
    })
    this.#all.add(thread)
    thread.once('exit', () => this.#all.delete(thread))
    // An error without a listener would end the process; a caller that waits for the thread has one of its own.
    thread.on('error', () => {})
    return thread
  }

  #takeIdle(): Worker | undefined {
    const idle = this.#idle.pop()
    clearTimeout(idle?.timer)
    return idle?.thread
  }

  #rest(thread: Worker): void {
    thread.unref()
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      void thread.terminate()
    }, maxIdleMs).unref()
    const idle = { thread, timer }
    this.#idle.push(idle)
  }
}

interface IdleThread {
  thread: Worker
  timer: NodeJS.Timeout
}

function replyOf(thread: Worker, request: KeyRequest): Promise<Derived> {
  return new Promise((resolve, reject) => {
    const stopListening = () => thread.off('message', onMessage).off('error', onError).off('exit', onExit)
    const onMessage = (derived: Derived) => {
      stopListening()
      resolve(derived)
    }
    const onError = (error: Error) => {
      stopListening()
      reject(error)
    }
    const onExit = () => onError(new Error('the thread ended before the key was derived'))
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    thread.postMessage(request)
  })
}
