import { type Client, type ClientOptions, createClient } from 'doorstep-client'
import { ToolError } from './errors.ts'

/** The settings for the tools of one agent. */
export interface ConnectionOptions {
  baseUrl: string
  /** Of an API key: its role decides what the tools may do. Not needed if `fetch` adds them. */
  credentials?: { username: string; apiKey: string }
  /** The only shop that the tools may touch. Without it, each call may name one that the key is good for. */
  shop?: string
  /** Whether there are tools that change something. */
  writes?: boolean
  fetch?: (request: Request) => Promise<Response>
  /** Signs confirmations: the same in all processes that serve the agent. */
  confirmationKey: Uint8Array
  /** The API key that calls: what one has confirmed is not confirmed for another. */
  caller: string
  now: () => Date
  /** Gets reports of faults of the tools themselves. */
  report?: (error: unknown) => void
}

/** How long all calls of a tool may take together. */
const toolMs = 20_000

/** The context of one call of a tool. */
export interface ToolContext {
  client: Client
  /** The slug of the shop that it is about. */
  shop: string
  now: Date
}

/** Calls the API in English, and no longer than a tool may take. */
export function openClient(
  { baseUrl, credentials, fetch = globalThis.fetch }: ConnectionOptions,
  signal: AbortSignal,
  onWarnings?: ClientOptions['onWarnings'],
) {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(toolMs)])
  return createClient({
    baseUrl,
    ...(credentials ? { credentials } : {}),
    language: () => 'en',
    ...(onWarnings ? { onWarnings } : {}),
    fetch: (request) => fetch(new Request(request, { signal: limited })),
  })
}

/** The shop of the connection, the named one, or the only one that there is. */
export async function resolveShop(
  client: Client,
  { shop: own }: ConnectionOptions,
  named: string | undefined,
): Promise<string> {
  if (own !== undefined && named !== undefined && named !== own) {
    throw new ToolError('shop_not_found', `This connection is for the shop "${own}" only. Leave out the argument shop.`)
  }
  const known = own ?? named
  // Such a name would lead to another address of the API.
  if (known === '.' || known === '..') throw new ToolError('shop_not_found', 'This is not the name of a shop.')
  if (known !== undefined) return known
  const { items, hasNext } = await client.list('/v1/shops', { params: { query: { per_page: maxNamed } } })
  const [first] = items
  if (first === undefined) throw new ToolError('shop_not_found', 'This API key is good for no shop.')
  if (items.length === 1 && !hasNext) return first.slug
  const slugs = items.map(({ slug }) => slug).join(', ')
  throw new ToolError('shop_required', `Name the shop in the argument shop: ${slugs}${hasNext ? ' and others' : ''}.`)
}

const maxNamed = 20
