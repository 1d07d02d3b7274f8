import type { Server, Socket } from 'node:net'
import { type Clock, secondMs } from '../platform/foundation/clock.ts'
import type { CounterSpec, Metrics } from '../platform/foundation/metrics.ts'

/** How long a client may read nothing of the output that waits for it. */
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
  /** The time at which the client last read something, or nothing waited for it. */
  movedAtMs: number
  /** How many checks since then found that it had read nothing. */
  looks: number
}

/**
 * Cuts connections whose client does not read: the output that waits for it would stay in memory for as long as it
 * likes. One that reads slowly is not cut, nor one that has nothing to read, such as a page that waits for a change.
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

  /** In how many checks the client had read nothing of the output that waits for it. */
  looksWithoutProgress(socket: Socket): number {
    return this.#connections.get(connectionOf(socket))?.looks ?? 0
  }

  /** Checks all connections once. */
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

/**
 * The handle that Node has below a socket. It is not part of the documented API, but Node's own timeouts use it: the
 * documented counters count a write only when all of it was sent, and a response may be one write.
 */
interface SystemHandle {
  /** Handed to the system or queued for it. */
  bytesWritten?: number
  /** Queued: the system does not accept them, because the client does not read. */
  writeQueueSize?: number
  /** Under the encryption, the connection itself. */
  _parent?: SystemHandle
}

/** How much of its connection's output a client has read, and whether more waits for it. */
function outputOf(socket: Socket): { takenBytes: number; isPending: boolean } {
  const handle = systemHandleOf(socket)
  const { bytesWritten, writeQueueSize } = handle ?? {}
  if (bytesWritten === undefined || writeQueueSize === undefined) {
    return { takenBytes: socket.bytesWritten - socket.writableLength, isPending: socket.writableLength > 0 }
  }
  return { takenBytes: bytesWritten - writeQueueSize, isPending: writeQueueSize > 0 }
}

/** Identity of the connection under a socket: the same for an encrypted socket and the one that it is based on. */
function connectionOf(socket: Socket): object {
  return systemHandleOf(socket) ?? socket
}

function systemHandleOf(socket: Socket): SystemHandle | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: SystemHandle | null } // as its constructor sets it
  return handle?._parent ?? handle ?? undefined
}
