import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiDescription, shapeOf } from '../../src/http/openapi.ts'
import { renderReference } from '../../src/http/reference-page.ts'
import { operations } from '../../src/operations.ts'
import { isBytesReply, isEmptyReply } from '../../src/platform/foundation/schema.ts'
import { runAtOnce } from '../../src/platform/foundation/steps.ts'
import { NamedSchemas } from '../harness/json-schemas.ts'
import { call } from '../harness/service.ts'

type Content = Record<string, { schema?: object; example?: unknown }>

interface Described {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name?: string; in?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

describe('/openapi.json', () => {
  let text: string
  let description: ApiDescription
  let named: NamedSchemas

  /** Schema and example are there, and fit each other. */
  function expectFitting(content: Content[string] | undefined): void {
    expect(content).toEqual({ schema: expect.anything(), example: content?.example })
    expect(content).toHaveProperty('example')
    expect(problemsOf(content)).toEqual([])
  }

  function problemsOf({ schema, example }: Content[string] = {}) {
    const validate = named.compile(schema ?? {})
    return validate(example) ? [] : validate.errors
  }

  beforeAll(async () => {
    const reply = await call('GET', '/openapi.json', { auth: null })
    expect(reply.headers['access-control-allow-origin']).toBe('*')
    text = reply.text
    // Of a field that its schema does not have, an example is wrong, though a request may have others.
    description = JSON.parse(text, (_key, value) => {
      // The examples are of responses without warnings.
      if (value?.allOf?.at(-1).$ref === '#/components/schemas/Warned') return value.allOf[0]
      return value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value
    })
    named = new NamedSchemas('#/components/schemas/', description.components.schemas)
  })

  it('is valid OpenAPI 3.1 without a warning of the recommended rules', async () => {
    expect(description.openapi).toMatch(/^3\.1\./)
    // The tests below check the examples of every request and response, in a sixth of the time.
    const rules = { 'no-invalid-media-type-examples': 'off' } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    const reported = problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer}`,
    )
    expect(reported).toEqual([])
  })

  it.each(operations.map((operation) => [operation.name, operation] as const))('has all of %s', (_name, operation) => {
    for (const path of [operation.path, operation.aliasPath].filter((route) => route !== undefined)) {
      const shown = Object.keys(description.paths).find((other) => shapeOf(other) === shapeOf(path)) ?? path
      const described = description.paths[shown]?.[operation.method.toLowerCase()] as unknown as Described
      expect(described.summary).toBe(operation.summary)
      expect(described.tags).toEqual([operation.area])
      const needs = { nobody: 'no API key', credentials: 'with any role' } as Record<string, string>
      expect(described.description).toContain(needs[operation.needs] ?? `role ${operation.needs}`)
      const success = Object.values(described.responses[operation.successStatus]?.content ?? {})[0]
      expect(described.summary).toMatch(/^[A-Z].{2,90}[^.]$/)
      if (operation.successStatus === 200 && !isEmptyReply(operation.reply)) {
        // There is no example of bytes, such as an image.
        if (success?.schema || !isBytesReply(operation.reply)) expectFitting(success)
      }
      if (operation.body || operation.file || (operation.signed && operation.method !== 'GET')) {
        const type = operation.file ? 'multipart/form-data' : 'application/json'
        expectFitting(described.requestBody?.content[type])
      }
      for (const status of ['400', '401', '500']) {
        expect(described.responses[status]?.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Error',
        })
      }
      for (const [status, { content = {} }] of Object.entries(described.responses)) {
        for (const each of Object.values(content)) if ('example' in each) expect(problemsOf(each), status).toEqual([])
      }
    }
  })

  it('has an example of every webhook', () => {
    const described = Object.values(description.webhooks) as unknown as { post: Described }[]
    expect(described).not.toEqual([])
    for (const { post } of described) {
      for (const content of Object.values(post.requestBody?.content ?? {})) expectFitting(content)
    }
  })
})

describe('/docs', () => {
  let page: string

  beforeAll(async () => {
    const reply = await call('GET', '/docs', { auth: null })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    page = reply.text
  })

  it('has every operation, with a link to it', () => {
    for (const { name, summary } of operations) {
      expect(page).toContain(`id="${name}"`)
      expect(page).toContain(`href="#${name}"`)
      expect(page).toContain(summary.replaceAll('&', '&amp;').replaceAll("'", '&#39;'))
    }
  })

  it('has no script and nothing from another host', () => {
    expect(page).not.toMatch(/<script|<iframe|<link|<img|<object|<form|\son\w+=|javascript:|@import|url\(/i)
    const references = [...page.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, target]) => target ?? '')
    const others = references.filter((target) => !target.startsWith('#'))
    expect(others).toEqual(['/docs/guide', '/openapi.json', '/asyncapi.json', '/postman.json'])
  })

  it('has unique ids, and links only to existing ones', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('has one first heading, and skips no level below it', () => {
    const main = page.slice(page.indexOf('<main'))
    const levels = [...main.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    const jumps = levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1)
    expect(jumps).toEqual([])
  })

  it('escapes all text of the description', async () => {
    const hostile = '<script>alert(1)</script>"\'&`<b>`'
    const { body } = await call('GET', '/openapi.json')
    const everyText = JSON.parse(JSON.stringify(body), (key, value) =>
      typeof value === 'string' && ['summary', 'description', 'title', 'example', 'default'].includes(key)
        ? `${value} ${hostile}`
        : value,
    ) as ApiDescription
    const rendered = runAtOnce(renderReference(everyText))
    expect(rendered).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(rendered).not.toContain('<script')
    expect(rendered).not.toContain('<b>')
  })

  it('copes with a hundred and more operations', () => {
    expect(operations.length).toBeGreaterThan(150)
    expect(page.length).toBeLessThan(10_000_000)
  })
})
