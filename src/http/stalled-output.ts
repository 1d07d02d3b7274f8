import type { Server, Socket } from 'node:net'
import { type Clock, secondMs } from '../platform/foundation/clock.ts'
import type { CounterSpec, Metrics } from '../platform/foundation/metrics.ts'
import { connectionOf, outputOf } from './taken-bytes.ts'

/** How long a client may take nothing of what waits for it. */
export const maxStallMs = 30 * secondMs

const lookEveryMs = secondMs
/** A clock that jumps must not cut a connection that was only seen once. */
const minLooks = 3

export const unreadMetric: CounterSpec = {
  name: 'doorstep_http_unread_connections_cut_total',
  help: 'Connections that were cut because their client did not read: for too long, or too much for its network.',
  labels: { reason: ['stalled', 'full'] },
}

interface Watched {
  socket: Socket
  takenBytes: number
  /** When the client last took something, or nothing waited for it. */
  movedAtMs: number
  /** How often it was seen since without having taken anything. */
  looks: number
}

/**
 * Cuts connections whose client does not read: what waits for it would stay in memory for as long as it likes. One that
 * reads slowly is not cut, nor one that has nothing to read, such as a page that waits for a change.
 */
export class StalledOutput {
  readonly #clock: Clock
  readonly #metrics: Metrics
  readonly #connections = new Map<object, Watched>()

  constructor({ clock, metrics }: { clock: Clock; metrics: Metrics }) {
    this.#clock = clock
    this.#metrics = metrics
  }

  /** Watches all connections of a server until it closes. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const connection = connectionOf(socket)
      this.#connections.set(connection, { socket, takenBytes: 0, movedAtMs: this.#nowMs(), looks: 0 })
      socket.once('close', () => this.#connections.delete(connection))
    })
    server.once('listening', () => {
      const timer = setInterval(() => this.look(), lookEveryMs).unref()
      server.once('close', () => clearInterval(timer))
    })
  }

  /** In how many looks the client has taken nothing of what waits for it. */
  looksWithoutProgress(socket: Socket): number {
    return this.#connections.get(connectionOf(socket))?.looks ?? 0
  }

  /** Looks at all connections once. */
  look(): void {
    const nowMs = this.#nowMs()
    for (const watched of this.#connections.values()) {
      const { takenBytes, isPending } = outputOf(watched.socket)
      if (!isPending || takenBytes > watched.takenBytes || nowMs < watched.movedAtMs) {
        watched.takenBytes = takenBytes
        watched.movedAtMs = nowMs
        watched.looks = 0
        continue
      }
      watched.looks += 1
      if (watched.looks < minLooks || nowMs - watched.movedAtMs < maxStallMs) continue
      this.#metrics.count(unreadMetric, { reason: 'stalled' })
      watched.socket.destroy()
    }
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}
