import type { Socket } from 'node:net'

/**
 * What Node has below a socket. It is not part of its documented API, but what its own timeouts go by: what is documented
 * counts a write only when all of it has left, and a response may be one write.
 */
interface SystemHandle {
  /** Handed to the system or queued for it. */
  bytesWritten?: number
  /** Queued: the system does not accept them, because the client does not read. */
  writeQueueSize?: number
  /** Under the encryption, the connection itself. */
  _parent?: SystemHandle
}

/** What a client has taken of the output of its connection, and whether more waits for it. */
export function outputOf(socket: Socket): { takenBytes: number; isPending: boolean } {
  const handle = systemHandleOf(socket)
  const { bytesWritten, writeQueueSize } = handle ?? {}
  if (bytesWritten === undefined || writeQueueSize === undefined) {
    return { takenBytes: socket.bytesWritten - socket.writableLength, isPending: socket.writableLength > 0 }
  }
  return { takenBytes: bytesWritten - writeQueueSize, isPending: writeQueueSize > 0 }
}

/** What stands for the connection under a socket: the same for an encrypted socket and the one that it is based on. */
export function connectionOf(socket: Socket): object {
  return systemHandleOf(socket) ?? socket
}

function systemHandleOf(socket: Socket): SystemHandle | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: SystemHandle | null } // as its constructor sets it
  return handle?._parent ?? handle ?? undefined
}
