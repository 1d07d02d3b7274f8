import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** badRequest: a permanent 4xx. malformed: a success whose body is truncated or not JSON. */
export type Failure = 'badRequest' | 'rateLimited' | 'serverError' | 'malformed'

export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | undefined>
  body: string
  /** The address of the fake, for links to further pages. */
  baseUrl: string
}

export interface FakeResponse {
  status: number
  headers?: Record<string, string>
  body?: string
}

type Respond = (request: FakeRequest, failure: Failure | undefined) => FakeResponse | Promise<FakeResponse>

/** A server on the loopback address that reuses its port after a stop. */
export function createFakeServer() {
  let respond: Respond = () => ({ status: 500 })
  let failure: Failure | undefined
  let always: ((request: FakeRequest) => FakeResponse) | undefined
  let instead: ((response: ServerResponse) => void) | undefined
  let server: Server | undefined
  let port = 0
  const state = {
    baseUrl: '',
    requests: [] as FakeRequest[],
    async start(): Promise<void> {
      server = createServer({ keepAliveTimeout: 900_000 }, async (message, response) => {
        const request = await readRequest(message, state.baseUrl)
        state.requests.push(request)
        if (instead) return instead(response)
        const { status, headers, body } = await (always?.(request) ?? respond(request, failure))
        response.writeHead(status, headers).end(body)
      })
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port // it listens on a port
      state.baseUrl = `http://127.0.0.1:${port}`
    },
    stop(): Promise<void> {
      server?.closeAllConnections()
      return new Promise((resolve) => server?.close(() => resolve()))
    },
    reset(next: Respond): void {
      respond = next
      failure = undefined
      always = undefined
      instead = undefined
      state.requests = []
    },
    fail(next: Failure | undefined): void {
      failure = next
    },
    respondAll(reply: FakeResponse): void {
      always = () => reply
    },
    /** Calls `handle` for every request instead of responding. */
    handleAll(act: (response: ServerResponse) => void): void {
      instead = act
    },
    echoAll(status: number): void {
      always = ({ headers, body, path }) => ({
        status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'not taken', headers, path, body }),
      })
    },
  }
  return state
}

async function readRequest(message: IncomingMessage, baseUrl: string): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer) // a message without an encoding has buffers
  const url = new URL(message.url ?? '', baseUrl)
  return {
    method: message.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString('utf8'),
    baseUrl,
  }
}
