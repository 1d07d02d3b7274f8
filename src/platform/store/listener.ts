import pg from 'pg'
import type { Primary } from './primary.ts'
import type { Server } from './server.ts'

/** Not as in version 0.2.0, by whose name its nodes are found (`older-nodes.ts`). */
const listenerName = 'doorstep node'
const reconnectMs = 200
const beatMs = 1_000
/** A server that leaves so many beats unanswered hangs: connections to it may never end by themselves. */
const maxMissedBeats = 4

/**
 * One connection that listens on all channels, and reconnects when it is lost. Once per second it also checks that the
 * server still responds: a machine that was cut off does not close its connections.
 */
export class Listener {
  readonly #primary: Primary
  readonly #handlers = new Map<string, ((payload: string) => void)[]>()
  #connection: { client: pg.Client; server: Server } | undefined
  #connecting: Promise<void> | undefined
  #since: number | undefined
  #isOpen = true
  #retry: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined

  constructor(primary: Primary) {
    this.#primary = primary
    primary.onChange((server) => {
      if (server === undefined) this.#drop()
      else if (this.#handlers.size > 0) this.#connectSoon(0)
    })
  }

  /** Since when no notification was missed, by performance.now(); undefined while some may be. */
  get since(): number | undefined {
    return this.#since
  }

  async listen(channel: string, handle: (payload: string) => void): Promise<void> {
    const existing = this.#handlers.get(channel)
    if (existing) {
      existing.push(handle)
      return
    }
    this.#handlers.set(channel, [handle])
    if (this.#connection) await this.#connection.client.query(listenTo(channel))
    else await this.#connect()
  }

  async close(): Promise<void> {
    this.#isOpen = false
    clearTimeout(this.#retry)
    clearInterval(this.#beat)
    const { client } = this.#connection ?? {}
    this.#since = undefined
    const timer = setTimeout(() => client?.connection.stream.destroy(), beatMs)
    await client?.end()
    clearTimeout(timer)
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #open(): Promise<void> {
    const { client, server } = await this.#primary.openClient(listenerName)
    const connection = { client, server }
    client.on('notification', ({ channel, payload }) => {
      for (const handle of this.#handlers.get(channel) ?? []) handle(payload ?? '')
    })
    client.on('end', () => this.#lost(connection))
    try {
      for (const channel of this.#handlers.keys()) await client.query(listenTo(channel))
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
    if (!this.#isOpen) return client.end()
    this.#connection = connection
    this.#since = performance.now()
    this.#watch(connection)
  }

  /** Counts beats instead of time: if this process was stopped itself, it first reads what has arrived. */
  #watch({ client, server }: { client: pg.Client; server: Server }): void {
    clearInterval(this.#beat)
    let missed = 0
    let isWaiting = false
    this.#beat = setInterval(() => {
      if (isWaiting) {
        missed += 1
        if (missed >= maxMissedBeats) this.#primary.leave(server, 'at once')
        return
      }
      isWaiting = true
      client.query('select 1').then(
        () => {
          isWaiting = false
          missed = 0
        },
        () => {},
      )
    }, beatMs).unref()
  }

  #drop(): void {
    this.#connection?.client.connection.stream.destroy()
  }

  #lost(connection: { client: pg.Client }): void {
    if (this.#connection !== connection) return
    clearInterval(this.#beat)
    this.#connection = undefined
    this.#since = undefined
    this.#connectSoon(0)
  }

  #connectSoon(delayMs: number): void {
    if (!this.#isOpen || this.#connection !== undefined) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      if (this.#isOpen && this.#connection === undefined) this.#connect().catch(() => this.#connectSoon(reconnectMs))
    }, delayMs)
  }
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`
}
