import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Service } from '../../src/service.ts'
import { inject } from './client.ts'

export interface AgentOptions {
  /** As the header has them; undefined: none. */
  authorization?: string | undefined
  service?: Service | undefined
  /** Behind the address: `?shop=slug`. */
  query?: string
  /** Of the protocol; `legacy` are the clients of 2025. */
  mode?: 'auto' | 'legacy'
  capabilities?: ClientCapabilities
}

export function basicOf({ username, apiKey }: { username: string; apiKey: string }): string {
  return `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`
}

/** An agent that is connected over HTTP to a service of this process, with the official client. */
export async function connectAgent(options: AgentOptions): Promise<Client> {
  const { authorization, service, query = '', mode = 'auto', capabilities = {} } = options
  const client = new Client({ name: 'an agent', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`https://doorstep.example/mcp${query}`), {
    fetch: async (url, init) => inject(new Request(url, init), service),
    ...(authorization === undefined ? {} : { requestInit: { headers: { authorization } } }),
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** Calls a tool; its sentences, its whole text and its records. */
export async function callTool(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: given })
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  return {
    isError: result.isError ?? false,
    text,
    // biome-ignore lint/suspicious/noExplicitAny: tests read results field by field; the client has checked their shape
    data: (result.structuredContent ?? {}) as any,
  }
}
