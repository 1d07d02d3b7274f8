import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { untilThereAre } from './patience.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads field by field
  body: any
}

type Reply = { status: number; body?: string; headers?: Record<string, string>; afterMs?: number }
/** A reply, none at all, or one that is sent on release. */
type Response = Reply | 'hang' | { held: Reply }

/** Another company's server: records what it is sent, and replies as the test says. */
export interface Receiver {
  url: string
  received: Received[]
  /** Returns the reply to a request; 200 unless the test replaces it. */
  respond: (request: Received) => Response
  /** Waits until that many requests have arrived. */
  until(count: number): Promise<void>
  /** Sends the replies that wait for a release. */
  release(): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let held: (() => void)[] = []
  // It shares its thread with a store, which may keep both ends of an idle connection from noticing in time that it was closed.
  const server: Server = createServer({ keepAliveTimeout: 900_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const entry: Received = { path: request.url ?? '', headers: request.headers, text, body: parse(text) }
      received.push(entry)
      const reply = receiver.respond(entry)
      if (reply === 'hang') return
      const { status, headers, body, afterMs } = 'held' in reply ? reply.held : reply
      const respond = () => response.writeHead(status, headers).end(body ?? '')
      if ('held' in reply) held.push(respond)
      else if (afterMs === undefined) respond()
      else setTimeout(respond, afterMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    respond: () => ({ status: 200 }),
    until: (count) => untilThereAre(count, received, 'requests'),
    release() {
      for (const respond of held) respond()
      held = []
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
