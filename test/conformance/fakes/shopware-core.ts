import { createHmac, randomBytes } from 'node:crypto'
import type { Reply } from '../../harness/service.ts'

/** How requests of a Shopware reach us. */
export type Transport = (
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body?: string,
) => Promise<Reply>

/** The part of an app's manifest that Shopware reads. */
export interface Manifest {
  name: string
  registrationUrl: string
  secret: string
  permissions: string[]
  webhooks: { name: string; url: string; event: string }[]
}

export interface CoreOptions {
  url: string
  transport: Transport
  now: () => Date
  version?: string
  shopId?: string
  /** Before 6.6.10.15 and 6.7.8.1 a registration that is repeated is signed like a first one. */
  signsTwice?: boolean
}

/** Webhooks that core offers to apps: entities with their own event, and business events. */
const hookable =
  /^(checkout\.order\.placed|(order|product|customer|order_address|product_price|category|media|document)\.(written|deleted)|app\.(installed|updated|activated|deactivated|deleted)|state_enter\.order\.state\.(open|in_progress|completed|cancelled)|state_enter\.order_delivery\.state\.(open|shipped|shipped_partially|returned|returned_partially|cancelled)|state_enter\.order_transaction\.state\.\w+)$/

/**
 * The side of Shopware that installs apps and sends webhooks, like its core: the order of the steps, what is signed
 * with which secret, and which errors end a registration.
 */
export class FakeShopwareCore {
  readonly options: Required<CoreOptions>
  url: string
  manifest: Manifest | undefined
  /** The secret for webhooks, once the app is installed. */
  shopSecret: string | undefined
  clientId = ''
  clientSecret = ''
  /** The last registration and confirmation, for replay tests. */
  sent: { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; body?: string }[] = []

  constructor(options: CoreOptions) {
    this.options = {
      version: '6.7.9.0',
      shopId: randomBytes(6).toString('hex'),
      signsTwice: true,
      ...options,
    }
    this.url = options.url
  }

  /** Installs an app from its manifest; throws what core shows to the merchant. */
  async install(xml: string): Promise<void> {
    this.manifest = readManifest(xml)
    await this.register()
  }

  /** Runs the handshake: at an installation, or again to replace the secret or to report another address. */
  async register(): Promise<void> {
    const { secret, confirmationUrl } = await this.startRegistration()
    await this.confirm(secret, confirmationUrl)
    this.shopSecret = secret
  }

  async startRegistration(): Promise<{ secret: string; confirmationUrl: string }> {
    const { name, registrationUrl, secret: appSecret } = this.#app()
    // Guzzle encodes neither colons nor slashes here.
    const query = `shop-id=${this.options.shopId}&shop-url=${this.url}&timestamp=${this.#seconds()}`
    const reply = await this.#request('GET', `${registrationUrl}?${query}`, {
      'shopware-app-signature': hmac(appSecret, query),
      'sw-version': this.options.version,
      ...this.#previous('shopware-shop-signature', query),
    })
    if (reply.status !== 200) throw new Error(`registration failed with ${reply.status}: ${reply.text}`)
    const { proof, secret, confirmation_url: confirmationUrl } = reply.body
    if (proof !== hmac(appSecret, this.options.shopId + this.url + name)) throw new Error('the proof is invalid')
    if (secret === this.shopSecret) throw new Error('the new secret must be different from the current one')
    if (typeof secret !== 'string' || secret.length < 64 || secret.length > 255) throw new Error('a bad secret')
    return { secret, confirmationUrl }
  }

  async confirm(secret: string, confirmationUrl: string, changes: Record<string, string> = {}): Promise<void> {
    this.clientId = `SWIA${randomBytes(11).toString('hex').toUpperCase()}`
    this.clientSecret = randomBytes(24).toString('base64url')
    const body = encode({
      apiKey: this.clientId,
      secretKey: this.clientSecret,
      timestamp: this.#seconds(),
      shopUrl: this.url,
      shopId: this.options.shopId,
      ...changes,
    })
    const headers = {
      'content-type': 'application/json',
      'shopware-shop-signature': hmac(secret, body),
      'sw-version': this.options.version,
      ...this.#previous('shopware-shop-signature-previous', body),
    }
    const reply = await this.#request('POST', confirmationUrl, headers, body)
    if (reply.status >= 300) throw new Error(`confirmation failed with ${reply.status}: ${reply.text}`)
  }

  /** Sends a webhook to every subscription of the event, and returns the last response. */
  async send(event: string, payload: unknown, secret = this.shopSecret): Promise<Reply> {
    const subscriptions = this.#app().webhooks.filter((webhook) => webhook.event === event)
    if (subscriptions.length === 0) throw new Error(`the app does not follow ${event}`)
    let last: Reply | undefined
    for (const { url } of subscriptions) {
      const source = {
        url: this.url,
        eventId: randomBytes(16).toString('hex'),
        shopId: this.options.shopId,
        appVersion: '1.0.0',
        inAppPurchases: null,
      }
      const body = encode({ data: { payload, event }, source, timestamp: Number(this.#seconds()) })
      const headers = {
        'content-type': 'application/json',
        'sw-version': this.options.version,
        'sw-context-language': '2fbb5fe2e29a4d70aa5854ce7ce3e20b',
        'sw-user-language': 'en-GB',
        'shopware-shop-signature': hmac(secret ?? '', body),
      }
      last = await this.#request('POST', url, headers, body)
    }
    if (last === undefined) throw new Error('nothing was sent')
    return last
  }

  /** A write of orders, or of parts of them, as apps are notified of it. */
  written(orderIds: string[], entry: Record<string, unknown> = {}): Promise<Reply> {
    const written = { entity: 'order', operation: 'update', updatedFields: [] }
    return this.send(
      'order.written',
      orderIds.map((primaryKey) => ({ ...written, primaryKey, ...entry })),
    )
  }

  async uninstall(): Promise<Reply> {
    const reply = await this.send('app.deleted', [])
    this.shopSecret = undefined
    return reply
  }

  #previous(header: string, text: string): Record<string, string> {
    if (this.shopSecret === undefined || !this.options.signsTwice) return {}
    return { [header]: hmac(this.shopSecret, text) }
  }

  #request(method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    this.sent.push({ method, url, headers, ...(body === undefined ? {} : { body }) })
    return this.options.transport(method, url, headers, body)
  }

  #seconds(): string {
    return String(Math.floor(this.options.now().getTime() / 1_000))
  }

  #app(): Manifest {
    if (this.manifest === undefined) throw new Error('no app is installed')
    return this.manifest
  }
}

/** Reads a manifest and rejects what core rejects. */
export function readManifest(xml: string): Manifest {
  const meta = one(xml, /<meta>(.*?)<\/meta>/s)
  for (const field of ['label', 'name', 'author', 'copyright', 'license', 'version']) {
    if (!meta.includes(`<${field}>`)) throw new Error(`${field} must not be empty`)
  }
  const webhooks = [...xml.matchAll(/<webhook name="([^"]+)" url="([^"]+)" event="([^"]+)"\/>/g)].map(
    ([, name = '', url = '', event = '']) => ({ name, url, event }),
  )
  const permissions = [...xml.matchAll(/<read>(\w+)<\/read>/g)].map(([, entity = '']) => entity)
  if (new Set(webhooks.map(({ name }) => name)).size !== webhooks.length) throw new Error('a webhook has two names')
  for (const { event } of webhooks) {
    if (!hookable.test(event)) throw new Error(`${event} is not hookable`)
    const entity = /^(order|product|customer)\.(written|deleted)$/.exec(event)?.[1] ?? 'order'
    if (!event.startsWith('app.') && !permissions.includes(entity)) throw new Error(`${event} needs ${entity}:read`)
  }
  return {
    name: one(meta, /<name>([A-Za-z0-9]+)<\/name>/),
    registrationUrl: one(xml, /<registrationUrl>(.*?)<\/registrationUrl>/),
    secret: one(xml, /<secret>(.*?)<\/secret>/),
    permissions,
    webhooks,
  }
}

function one(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`the manifest lacks ${pattern.source}`)
  return found
}

/** As PHP's json_encode writes it. */
function encode(value: unknown): string {
  return JSON.stringify(value).replaceAll('/', '\\/')
}

export function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
