import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message of the parent: which endpoints fail from now on; or what was received is to be reported. */
export type ReceiversCommand = { failing: string[] } | { isReport: true } | { isCount: true }

/** How often each endpoint received each event, as `<tracking number> <event name>`. */
export interface ReceiversReport {
  received: [endpoint: string, events: [event: string, count: number][]][]
  /** Events that an endpoint got again under another webhook-id. */
  renamed: number
}

export interface ReceiversCount {
  received: number
  refused: number
  /** The events received since the last count, by endpoint. */
  since: [endpoint: string, event: string][]
}

// Other companies' servers, in a separate process.
const endpoints = new Map<string, Map<string, { count: number; id: string }>>()
let failing = new Set<string>()
let received = 0
let refused = 0
let renamed = 0
let since: ReceiversCount['since'] = []

const server = createServer((request, response) => {
  const endpoint = request.url ?? ''
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    if (failing.has(endpoint)) {
      refused += 1
      response.writeHead(500).end()
      return
    }
    note(endpoint, body, String(request.headers['webhook-id']))
    response.writeHead(200).end()
  })
})

function note(endpoint: string, body: string, id: string): void {
  const { event_data } = JSON.parse(body) as { event_data?: { tracking_number?: string; event_name?: string } }
  const event = `${event_data?.tracking_number} ${event_data?.event_name}`
  const events = endpoints.get(endpoint) ?? new Map<string, { count: number; id: string }>()
  endpoints.set(endpoint, events)
  const known = events.get(event)
  if (known !== undefined && known.id !== id) renamed += 1
  events.set(event, { count: (known?.count ?? 0) + 1, id })
  received += 1
  since.push([endpoint, event])
}

process.on('message', (command: ReceiversCommand) => {
  if ('failing' in command) {
    failing = new Set(command.failing)
    process.send?.({ isDone: true })
  } else if ('isCount' in command) {
    process.send?.({ received, refused, since } satisfies ReceiversCount)
    since = []
  } else {
    process.send?.({
      received: [...endpoints].map(([endpoint, events]) => [
        endpoint,
        [...events].map(([event, { count }]) => [event, count]),
      ]),
      renamed,
    } satisfies ReceiversReport)
  }
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a path
  process.send?.({ port })
})

// Exits with its parent process.
process.on('disconnect', () => process.exit())
