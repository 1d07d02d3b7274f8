import { randomBytes } from 'node:crypto'
import type { Payload } from '../../harness/shop-systems.ts'
import { createFakeServer, type FakeRequest, type FakeResponse } from '../fake-server.ts'
import { type CoreOptions, FakeShopwareCore } from './shopware-core.ts'
import { type EntitySearch, searchEntities } from './shopware-criteria.ts'

/** The entity that an app must be allowed to read for each association. */
const entities: Record<string, string> = {
  currency: 'currency',
  stateMachineState: 'state_machine_state',
  orderCustomer: 'order_customer',
  language: 'language',
  locale: 'locale',
  addresses: 'order_address',
  country: 'country',
  countryState: 'country_state',
  transactions: 'order_transaction',
  lineItems: 'order_line_item',
  cover: 'media',
  salesChannel: 'sales_channel',
  domains: 'sales_channel_domain',
  deliveries: 'order_delivery',
  shippingMethod: 'shipping_method',
  positions: 'order_delivery_position',
  shippingOrderAddress: 'order_address',
}

const tokenSeconds = 600

/** A whole Shopware on the loopback address: what core sends, and the Admin API that it serves. */
export class FakeShopware extends FakeShopwareCore {
  readonly server: ReturnType<typeof createFakeServer>
  /** Its orders with all associations; each request gets those that it names. */
  readonly orders = new Map<string, Payload>()
  /** Events whose webhook it has switched off, as after ten failures, or no longer has. */
  readonly inactiveWebhooks = new Set<string>()
  readonly goneWebhooks = new Set<string>()
  /** The response to the next requests for orders. */
  failures: FakeResponse[] = []
  /** Runs before a search without ids; a response replaces the page. */
  beforeSearch: (() => FakeResponse | undefined) | undefined
  /** Runs once, between reading the orders and responding. */
  beforeResponse: (() => Promise<void>) | undefined
  #tokens = new Map<string, number>()

  static async start(options: Omit<CoreOptions, 'url'>): Promise<FakeShopware> {
    const server = createFakeServer()
    await server.start()
    return new FakeShopware(server, { ...options, url: server.baseUrl })
  }

  private constructor(server: ReturnType<typeof createFakeServer>, options: CoreOptions) {
    super(options)
    this.server = server
    server.reset(async (request) => {
      const response = this.#respond(request)
      const { beforeResponse } = this
      if (beforeResponse && request.path === '/api/search/order') {
        this.beforeResponse = undefined
        await beforeResponse()
      }
      return response
    })
  }

  /** Requests for orders so far, with the requested ids. */
  get searches(): string[][] {
    return this.server.requests
      .filter(({ path }) => path === '/api/search/order')
      .map(({ body }) => JSON.parse(body).ids)
  }

  get grants(): number {
    return this.server.requests.filter(({ path }) => path === '/api/oauth/token').length
  }

  /** As if the cache of tokens had been cleared. */
  revokeTokens(): void {
    this.#tokens.clear()
  }

  /** Changes an order as an ERP does, with the time of the change. */
  change(id: string, change: (order: Payload) => void): void {
    const order = structuredClone(this.orders.get(id) ?? {})
    change(order)
    this.orders.set(id, order)
  }

  #respond(request: FakeRequest): FakeResponse {
    const now = this.options.now()
    const headers = { 'content-type': 'application/json', date: now.toUTCString() }
    const reply = (status: number, body: unknown): FakeResponse => ({ status, headers, body: JSON.stringify(body) })
    const failed = (status: number, code: string) => reply(status, { errors: [{ code, status: String(status) }] })
    const isVersion = request.method === 'GET' && request.path === '/api/_info/version'
    const isJson = request.method === 'POST' && request.headers['content-type']?.startsWith('application/json')
    if (!isVersion && !isJson) return failed(404, '0')
    if (request.path === '/api/oauth/token') {
      const { grant_type: grant, client_id: id, client_secret: secret } = JSON.parse(request.body)
      if (grant !== 'client_credentials' || id !== this.clientId || secret !== this.clientSecret) {
        return failed(401, '10')
      }
      const token = randomBytes(24).toString('base64url')
      this.#tokens.set(token, now.getTime() + tokenSeconds * 1_000)
      return reply(200, { token_type: 'Bearer', expires_in: tokenSeconds, access_token: token })
    }
    const isWebhook = request.path === '/api/search/webhook'
    if (!isVersion && !isWebhook && request.path !== '/api/search/order' && request.path !== '/api/search-ids/order') {
      return failed(404, '0')
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if ((this.#tokens.get(token) ?? 0) <= now.getTime()) return failed(401, '9')
    const failure = this.failures.shift()
    if (failure) return failure
    if (isVersion) return reply(200, { version: this.options.version })
    if (isWebhook) {
      if (!this.manifest?.permissions.includes('webhook')) return failed(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR')
      const [filter, ...others] = JSON.parse(request.body).filter ?? []
      if (filter?.type !== 'equals' || filter.field !== 'url' || others.length > 0) return failed(400, '0')
      const found = this.manifest.webhooks
        .filter(({ url, event }) => url === filter.value && !this.goneWebhooks.has(event))
        .map(({ name, event, url }, index) => ({
          id: `0192f3c47b1e7cc09d3a2f6f7a1b4c${String(index).padStart(2, '0')}`,
          name,
          eventName: event,
          url,
          active: !this.inactiveWebhooks.has(event),
          errorCount: 0,
          onlyLiveVersion: false,
        }))
      return reply(200, { total: found.length, data: found })
    }
    const criteria: SearchCriteria = JSON.parse(request.body)
    const { ids, associations } = criteria
    const missing = this.#missing({ associations })
    if (missing.length > 0) return failed(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR')
    if (criteria.limit !== undefined || ids === undefined || request.path === '/api/search-ids/order') {
      const other = this.beforeSearch?.()
      if (other) return other
      const wanted = [...this.orders.values()].filter(({ id }) => ids === undefined || ids.includes(id))
      const { total, page } = searchEntities(wanted, criteria)
      const count = criteria['total-count-mode'] === 1 ? total : page.length
      const isIds = request.path === '/api/search-ids/order'
      return reply(200, { total: count, data: page.map((order) => (isIds ? order.id : pick(order, { associations }))) })
    }
    const found = ids.flatMap((id) => this.orders.get(id) ?? [])
    return reply(200, { total: found.length, data: found.map((order) => pick(order, { associations })) })
  }

  #missing(criteria: Criteria): string[] {
    return Object.entries(criteria.associations ?? {}).flatMap(([name, inner]) => [
      ...(this.manifest?.permissions.includes(entities[name] ?? '') ? [] : [name]),
      ...this.#missing(inner),
    ])
  }
}

interface Criteria {
  associations?: Record<string, Criteria> | undefined
}

interface SearchCriteria extends Criteria, EntitySearch {
  ids?: string[]
  'total-count-mode'?: number
}

/** An entity with the requested associations only. */
function pick(entity: Payload, { associations = {} }: Criteria): Payload {
  const fields = Object.entries(entity).map(([name, value]) => {
    if (!Object.hasOwn(entities, name)) return [name, value]
    const inner = associations[name]
    if (inner === undefined || value === null) return [name, null]
    return [name, Array.isArray(value) ? value.map((one) => pick(one, inner)) : pick(value, inner)]
  })
  return Object.fromEntries(fields)
}
