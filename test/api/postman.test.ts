import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { isBytesReply, isEmptyReply, isStreamReply } from '../../src/platform/foundation/schema.ts'
import { call } from '../harness/service.ts'

interface Parameter {
  key: string
  value: string
  disabled?: boolean
}

interface Item {
  name: string
  request: {
    method: string
    auth?: { type: string }
    header: Parameter[]
    url: { raw: string; host: string[]; path: string[]; query: Parameter[]; variable: Parameter[] }
    body?: { mode: string; raw?: string; formdata?: (Parameter & { type: string })[] }
    description: string
  }
  response: { code: number; header: Parameter[]; body: string }[]
}

describe('/postman.json', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is read field by field
  let collection: any
  let items: Item[]

  beforeAll(async () => {
    const { status, headers, body } = await call('GET', '/postman.json', { auth: null })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    collection = body
    items = collection.item.flatMap(({ item }: { item: Item[] }) => item)
  })

  it('is a collection of the format v2.1, for this installation', () => {
    expect(collection.info).toMatchObject({ name: 'Doorstep API', schema: expect.stringContaining('/v2.1.0/') })
    expect(collection.auth).toEqual({
      type: 'basic',
      basic: [
        { key: 'username', value: '{{username}}', type: 'string' },
        { key: 'password', value: '{{api_key}}', type: 'string' },
      ],
    })
    const [url] = collection.variable
    expect(url).toMatchObject({ key: 'base_url', value: 'https://doorstep.example' })
  })

  it('has a folder for every area, with its operations', () => {
    const areas = [...new Set(operations.map(({ area }) => area))]
    expect(collection.item.map(({ name }: { name: string }) => name)).toEqual(areas)
    const paths = operations.flatMap(({ method, path, aliasPath }) =>
      [path, aliasPath].filter((each) => each !== undefined).map((each) => `${method} ${shapeOf(each)}`),
    )
    const found = items.map(
      ({ request }) => `${request.method} /${request.url.path.join('/').replaceAll(/:\w+/g, '{}')}`,
    )
    expect(found.toSorted()).toEqual(paths.toSorted())
  })

  it('uses variables only that it defines, and fills in every part of a path', () => {
    const defined = new Set(collection.variable.map(({ key }: Parameter) => key))
    const used = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    expect(used.filter((name) => !defined.has(name))).toEqual([])
    for (const { name, request } of items) {
      const { host, path, variable, raw } = request.url
      expect(host).toEqual(['{{base_url}}'])
      expect(raw.startsWith(`{{base_url}}/${path.join('/')}`), name).toBe(true)
      const parts = path.filter((step) => step.startsWith(':')).map((step) => step.slice(1))
      expect(variable.map(({ key }) => key)).toEqual(parts)
      expect(variable.filter(({ value }) => value === '')).toEqual([])
    }
  })

  it('has bodies that can be sent, and responses', () => {
    const written = new Set<string>()
    for (const { name, request, response } of items) {
      if (request.body?.mode === 'raw') {
        expect(JSON.parse(request.body.raw ?? ''), name).toBeTypeOf('object')
        expect(request.header).toEqual([{ key: 'Content-Type', value: 'application/json' }])
      }
      if (request.body?.mode === 'formdata') {
        expect(request.body.formdata?.filter(({ type }) => type === 'file')).toHaveLength(1)
      }
      expect(response, name).toHaveLength(1)
      for (const { header, body } of response) {
        const type = header.find(({ key }) => key.toLowerCase() === 'content-type')?.value ?? ''
        if (type !== 'application/json') continue
        written.add(name)
        expect(() => JSON.parse(body), name).not.toThrow()
      }
    }
    const inJson = operations.filter(
      ({ reply }) => !isBytesReply(reply) && !isStreamReply(reply) && !isEmptyReply(reply),
    )
    expect(inJson.filter(({ summary }) => !written.has(summary)).map(({ name }) => name)).toEqual([])
  })

  it('sends no key where none is needed', () => {
    const open = items.filter(({ request }) => request.auth?.type === 'noauth').length
    const aliases = operations.filter(({ needs, aliasPath }) => needs === 'nobody' && aliasPath !== undefined).length
    expect(open).toBe(operations.filter(({ needs }) => needs === 'nobody').length + aliases)
  })
})

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}
