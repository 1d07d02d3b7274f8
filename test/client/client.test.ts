import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { generated } from '../../packages/client/generate.js'
import {
  ApiError,
  type Client,
  createClient,
  isApiError,
  type Schemas,
  type Warning,
} from '../../packages/client/src/client.ts'
import { inject } from '../harness/client.ts'
import { superadmin } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const sources = join(import.meta.dirname, '../../packages/client/src')

describe('types of the client', () => {
  it.each(Object.entries(generated))('%s is as the API is: npm run generate -w doorstep-client', async (name, make) => {
    expect(await make()).toBe(readFileSync(join(sources, name), 'utf8'))
  })

  it('know what an operation returns', () => {
    expectTypeOf<Awaited<ReturnType<typeof getShop>>>().toEqualTypeOf<Schemas['Shop'] & Schemas['Warned']>()
  })
})

function getShop(client: Client) {
  return client.get('/v1/shops/{slug}', { params: { path: { slug: 'a-shop' } } })
}

describe('client', () => {
  let shop: TestShop
  let client: Client

  beforeAll(async () => {
    shop = await makeShop()
    client = createClient({ baseUrl: 'http://doorstep.example', credentials: superadmin, fetch: inject })
  })

  it('returns what the operation answers', async () => {
    const found = await client.get('/v1/shops/{slug}', { params: { path: { slug: shop.slug } } })
    expect(found.slug).toBe(shop.slug)
  })

  it('reads lists page by page', async () => {
    const path = { slug: shop.slug }
    for (const title of ['one', 'two', 'three']) {
      const body = [{ product_id: title, variant_id: '1', title }]
      await client.post('/v1/shops/{slug}/products', { params: { path }, body })
    }
    const read = (page: number) =>
      client.list('/v1/shops/{slug}/products', { params: { path, query: { page, per_page: 2 } } })
    const pages = [await read(1), await read(2)]
    expect(pages.map(({ items, total, hasNext }) => [items.length, total, hasNext])).toEqual([
      [2, 3, true],
      [1, 3, false],
    ])
  })

  it('reports what was ignored: named by a reply that is an object, counted by any other', async () => {
    const reported: [readonly Warning[], number][] = []
    const reporting = createClient({
      baseUrl: 'http://doorstep.example',
      credentials: superadmin,
      fetch: inject,
      onWarnings: (warnings, count) => reported.push([warnings, count]),
    })
    const path = { slug: shop.slug }
    const body = { role: 'viewer', colour: 'red' } as const
    const created = await reporting.post('/v1/shops/{slug}/api-keys', { params: { path }, body })
    const named = { loc: ['body', 'colour'], msg: 'ignored: unknown field' }
    expect(created.warnings).toEqual([named])
    const product = { product_id: 'p', variant_id: '1', title: 'one', colour: 'red' }
    await reporting.post('/v1/shops/{slug}/products', { params: { path }, body: [product] })
    await reporting.get('/v1/shops/{slug}', { params: { path } })
    // A warning about the reply itself is not one about the request.
    await reporting.patch('/v1/shops/{slug}/settings/segments', { params: { path }, body: { braze: true } })
    expect(reported).toEqual([
      [[named], 1],
      [[], 1],
    ])
  })

  it('sends a body with a file as a form', async () => {
    const image = new File([onePixel], 'logo.png', { type: 'image/png' })
    const stored = await client.post('/v1/shops/{slug}/images', {
      params: { path: { slug: shop.slug } },
      body: { image_type: 'logo', image },
    })
    expect(JSON.stringify(stored)).toContain('/v1/images/')
  })

  it('throws the error of the API', async () => {
    const error = await failureOf(client.get('/v1/shops/{slug}', { params: { path: { slug: 'no-such-shop' } } }))
    expect(error).toMatchObject({ key: 'shop_not_found', status: 404, errors: [] })
    expect(error.requestId).toBeTruthy()
    expect([isApiError(error), isApiError(error, 'shop_not_found'), isApiError(error, 'order_not_found')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('throws what is wrong with a request, field by field', async () => {
    const body = { name: 'Wrong' } as never
    const error = await failureOf(client.post('/v1/shops', { body }))
    expect([error.key, error.status]).toEqual(['invalid_payload', 422])
    expect(error.errors.map(({ loc }) => loc.join('.'))).toContain('body.slug')
  })

  it('throws an error of its own for a response that is not from the API', async () => {
    const proxy = async () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
    const error = await failureOf(getShop(createClient({ baseUrl: 'http://doorstep.example', fetch: proxy })))
    expect(error).toMatchObject({ key: 'unexpected', status: 502, message: 'The response was 502 Bad Gateway.' })
  })

  it('throws an error of its own without a response', async () => {
    const offline = async () => Promise.reject(new TypeError('fetch failed'))
    const error = await failureOf(getShop(createClient({ baseUrl: 'http://doorstep.example', fetch: offline })))
    expect(error).toMatchObject({ key: 'unreachable', status: 0 })
  })

  it('lets an aborted call end as fetch ends it', async () => {
    const aborted = AbortSignal.abort()
    const call = client.get('/v1/shops/{slug}', { params: { path: { slug: shop.slug } }, signal: aborted })
    await expect(call).rejects.toHaveProperty('name', 'AbortError')
  })

  it('asks for texts in the chosen language', async () => {
    const languages: (string | null)[] = []
    const note = async (request: Request) => {
      languages.push(request.headers.get('accept-language'))
      return Response.json({})
    }
    await getShop(createClient({ baseUrl: 'http://doorstep.example', fetch: note, language: () => 'de' }))
    expect(languages).toEqual(['de'])
  })
})

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError // just checked
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
