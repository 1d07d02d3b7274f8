import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { readConfig } from '../src/platform/config/config.ts'
import { startService } from '../src/service.ts'

/** The servers that are compared. Each runs in its own process and reports its port to its parent. */
const kinds = { 'node-http': startNodeHttp, fastify: startFastify, doorstep: startDoorstep }

export type Kind = keyof typeof kinds

export interface Started {
  url: string
}

export const credentials = { username: 'admin', apiKey: 'the-key-of-the-benchmark' }
export const slugs = Array.from({ length: 64 }, (_, index) => `bench-${index}`)

/** The response of GET /v1/shops/{slug}, for servers without a database. */
const shop = {
  uuid: '019a8352-77a4-7bb6-9f6b-5a1c6a5f0a01',
  created_at: '2026-11-01T08:00:00.000Z',
  updated_at: '2026-11-01T08:00:00.000Z',
  name: 'River & Pine',
  slug: 'bench-0',
  description: 'Outdoor clothing',
  organization: null,
  language: 'de',
  contact_phone: '+49 30 1',
  industry: 'clothing_and_accessories',
  shop_provider: 'shopify',
  shop_faq_url: null,
  shop_service_url: null,
  shop_currency: 'EUR',
}

const update = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    description: { type: ['string', 'null'] },
    contact_phone: { type: ['string', 'null'] },
  },
} as const

const kind = process.argv[3]
if (process.send && kind !== undefined && kind in kinds) {
  const url = await kinds[kind as Kind]() // checked just before
  process.send({ url } satisfies Started)
  // Exits with its parent process.
  process.on('disconnect', () => process.exit())
}

async function startNodeHttp(): Promise<string> {
  const shopBytes = Buffer.from(JSON.stringify(shop))
  const nullBytes = Buffer.from('null')
  const server = createServer(async (request, response) => {
    let body = shopBytes
    if (request.method === 'PATCH') {
      if (!isUpdate(JSON.parse(await readText(request)))) {
        response.writeHead(422).end()
        return
      }
      body = nullBytes
    }
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number } // it listens on a port, not on a path
  return `http://127.0.0.1:${port}`
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set, so they are bytes
  return Buffer.concat(chunks).toString('utf8')
}

function isUpdate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, description, contact_phone } = value as Record<string, unknown>
  const isText = (field: unknown) => field === undefined || field === null || typeof field === 'string'
  return typeof name === 'string' && name !== '' && isText(description) && isText(contact_phone)
}

async function startFastify(): Promise<string> {
  const app = fastify()
  app.get('/v1/shops/:slug', async () => shop)
  app.patch('/v1/shops/:slug', { schema: { body: update } }, async () => null)
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function startDoorstep(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-bench-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const service = await startService(
    readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: process.env.DATABASE_URL,
      ADMIN_USERNAME: credentials.username,
      ADMIN_API_KEY: credentials.apiKey,
      ENCRYPTION_KEY: 'encryption-key-of-the-benchmark',
      LOG_LEVEL: 'warn',
      DEMO: '0',
    }),
  )
  const url = service.url.replace('localhost', '127.0.0.1')
  const { name, description, language, contact_phone, industry, shop_provider } = shop
  for (const slug of slugs) {
    const response = await fetch(`${url}/v1/shops`, {
      method: 'POST',
      headers: { authorization: authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({ slug, name, description, language, contact_phone, industry, shop_provider }),
    })
    if (!response.ok) throw new Error(`the shop was not created: ${await response.text()}`)
  }
  return url
}

export function authorization(): string {
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.apiKey}`).toString('base64')}`
}
