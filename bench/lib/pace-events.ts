import { connect, type Socket } from 'node:net'
import { authorization } from './service.ts'

/** Events to be sent at a steady rate, even if responses are late. */
export interface PacedEvents {
  port: number
  perSecond: number
  events: { slug: string; trackingNumber: string; eventName: string }[]
}

/** The time at which each event was accepted, by tracking number: milliseconds since the epoch, with fractions. */
export interface Accepted {
  acceptedAt: [string, number][]
  failure: string | undefined
}

const connections = 64

process.on('message', (wanted: PacedEvents) => {
  pace(wanted).then(
    (acceptedAt) => process.send?.({ acceptedAt, failure: undefined } satisfies Accepted),
    (error) => process.send?.({ acceptedAt: [], failure: String(error) } satisfies Accepted),
  )
})
process.send?.({ isReady: true })

async function pace({ port, perSecond, events }: PacedEvents): Promise<[string, number][]> {
  const idle = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }))
  const acceptedAt: [string, number][] = []
  const startedAt = performance.now()
  const under = new Set<Promise<void>>()
  for (const [index, event] of events.entries()) {
    const waitMs = startedAt + (index * 1_000) / perSecond - performance.now()
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    while (idle.length === 0) await Promise.race(under)
    const socket = idle.pop() as Socket // the loop above waited for one
    const sent = send(socket, event).then(() => {
      acceptedAt.push([event.trackingNumber, performance.timeOrigin + performance.now()])
      idle.push(socket)
      under.delete(sent)
    })
    under.add(sent)
  }
  await Promise.all(under)
  for (const socket of idle) socket.destroy()
  return acceptedAt
}

function send(
  socket: Socket,
  { slug, trackingNumber, eventName }: { slug: string; trackingNumber: string; eventName: string },
): Promise<void> {
  const body = JSON.stringify({ id: trackingNumber, event_name: eventName })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    // Head and body of these responses are small: they arrive in one piece.
    socket.once('data', (chunk: Buffer) => {
      socket.off('error', reject)
      if (chunk.toString('latin1', 0, 12).startsWith('HTTP/1.1 2')) resolve()
      else reject(new Error(chunk.toString()))
    })
    socket.write(
      `POST /v1/shops/${slug}/shipment-events?notify=true HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}

// Exits with its parent process.
process.on('disconnect', () => process.exit())
