import { connect } from 'node:net'
import { authorization } from './service.ts'

/** Events to be sent, one for each parcel. */
export interface EventsToSend {
  port: number
  slug: string
  trackingNumbers: string[]
  eventName: string
  connections: number
}

// In its own process, over bare sockets: a client library would use as much processor time as the service.
process.on('message', (wanted: EventsToSend) => {
  send(wanted).then(
    () => process.send?.({ failure: undefined }),
    (error) => process.send?.({ failure: String(error) }),
  )
})

async function send(wanted: EventsToSend): Promise<void> {
  const left = [...wanted.trackingNumbers]
  await Promise.all(Array.from({ length: wanted.connections }, () => useConnection(wanted, left)))
}

function useConnection({ port, slug, eventName }: EventsToSend, left: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const next = () => {
      const id = left.pop()
      if (id === undefined) {
        socket.end()
        resolve()
        return
      }
      const body = JSON.stringify({ id, event_name: eventName })
      socket.write(
        `POST /v1/shops/${slug}/shipment-events?notify=true HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    }
    socket.on('connect', next)
    socket.on('error', reject)
    // Head and body of these responses are small: they arrive in one piece.
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1', 0, 12).startsWith('HTTP/1.1 2')) reject(new Error(chunk.toString()))
      else next()
    })
  })
}

// Exits with its parent process.
process.on('disconnect', () => process.exit())
