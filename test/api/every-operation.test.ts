import { randomInt } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../src/http/example.ts'
import { pathSchema } from '../../src/http/read-input.ts'
import { operations } from '../../src/operations.ts'
import type { Operation } from '../../src/platform/foundation/operation.ts'
import { type GrantableRole, grantableRoles, roles } from '../../src/platform/foundation/roles.ts'
import { isBytesReply, isEmptyReply, type TSchema, Type } from '../../src/platform/foundation/schema.ts'
import { readReviewedOperations } from '../harness/reviewed-operations.ts'
import { type Call, call } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const reviewed = readReviewedOperations()
// The role of the reviewed table, not the declared one.
const guarded = operations
  .map((operation) => ({ operation, needs: reviewed.get(`${operation.method} ${operation.path}`)?.needs ?? 'nobody' }))
  .filter(({ needs }) => needs !== 'nobody')

describe('every operation', () => {
  let shop: TestShop
  let other: TestShop

  beforeAll(async () => {
    shop = await makeShop()
    other = await makeShop()
  })

  for (const { operation, needs } of guarded) {
    const paths = [operation.path, operation.aliasPath].filter((path) => path !== undefined)
    const send = async (options: Call, slug = shop.slug) => {
      const replies = await Promise.all(
        paths.map((path) => call(operation.method, fill(operation, path, slug), { from: anyAddress(), ...options })),
      )
      return replies.map(({ status, body }) => `${status} ${body?.key}`)
    }
    const all = (response: string) => paths.map(() => response)

    it(`${operation.name} requires valid credentials`, async () => {
      expect(await send({ auth: null })).toEqual(all('400 invalid_merchant_or_key'))
      for (const authorization of [
        'Bearer abc',
        'Basic',
        'Basic ???',
        basic('no-colon'),
        basic(':key'),
        basic('user:'),
      ]) {
        expect(await send({ auth: null, headers: { authorization } })).toEqual(all('400 invalid_merchant_or_key'))
      }
      const { username } = await shop.credentials('admin')
      const wrong = { username, apiKey: 'a-key-that-nobody-was-given' }
      expect(await send({ auth: wrong })).toEqual(all('401 invalid_merchant_or_key'))
      expect(await send({ auth: wrong }, 'no-such-shop')).toEqual(all('401 invalid_merchant_or_key'))
    })

    // Any role will do for those that need credentials only.
    const lowest = grantableRoles.find((role) => role === needs) ?? (needs === 'credentials' ? 'viewer' : undefined)
    if (lowest) {
      it(`${operation.name} accepts the role ${lowest}`, async () => {
        const replies = await send({ auth: await shop.credentials(lowest) })
        expect(replies.filter((reply) => /^40[13] /.test(reply))).toEqual([])
      })
    }

    const lower = roles[roles.indexOf(needs as GrantableRole) - 1]
    if (lower) {
      it(`${operation.name} rejects a role below ${needs}`, async () => {
        const auth = await shop.credentials(lower as GrantableRole) // below the highest role
        expect(await send({ auth })).toEqual(all('403 insufficient_rights'))
      })
    }

    if (operation.isShopScoped) {
      it(`${operation.name} rejects a key of another shop`, async () => {
        expect(await send({ auth: await other.credentials('admin') })).toEqual(all('403 insufficient_rights'))
      })

      it(`${operation.name} does not find a shop that does not exist, whatever the key's role`, async () => {
        expect(await send({}, 'no-such-shop')).toEqual(all('404 shop_not_found'))
        const auth = await shop.credentials('viewer')
        expect(await send({ auth }, 'no-such-shop')).toEqual(all('404 shop_not_found'))
      })
    }
  }
})

describe('list of operations', () => {
  it('has each name and each route once', () => {
    const names = operations.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    const routes = operations.flatMap(({ method, path, aliasPath }) =>
      [path, aliasPath]
        .filter((route) => route !== undefined)
        .map((route) => `${method} ${route.replaceAll(/\{\w+\}/g, '{}')}`),
    )
    expect(routes).toEqual([...new Set(routes)])
  })

  it('has a short summary and an area for each operation', () => {
    for (const { name, summary, area } of operations) {
      expect(summary, name).toMatch(/^[A-Z].{4,79}[^.]$/)
      expect(area, name).toMatch(/^[A-Z]/)
    }
  })

  it('states the type of every field', () => {
    const untyped = operations.flatMap(({ name, query, body, reply }) =>
      [query, body, reply].filter((schema) => schema !== undefined).flatMap((schema) => findUntyped(schema, name)),
    )
    expect(untyped).toEqual([])
  })

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has examples that fit its own schemas',
    (_name, operation) => {
      const schemas = [pathSchema(operation), operation.query, operation.body, operation.reply].filter(
        (schema) => schema !== undefined && !isEmptyReply(schema) && !isBytesReply(schema),
      ) as TSchema[] // the filter removes undefined
      for (const schema of schemas) {
        const example = exampleOf(schema)
        const check = Compile(schema)
        const errors = check.Check(example) ? [] : check.Errors(example)
        expect(
          errors.map(({ instancePath, message }) => `${instancePath} ${message}`),
          JSON.stringify(example),
        ).toEqual([])
      }
    },
  )
})

function fill(operation: Operation, path: string, slug: string): string {
  const examples = exampleOf(pathSchema(operation)) as Record<string, string> // of an object of texts
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(name === 'slug' ? slug : (examples[name] ?? 'x')),
  )
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Failed log-ins are limited per address, so each comes from another one. */
function anyAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
}

interface Node {
  type?: string
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Node>
  items?: Node
}

function findUntyped(schema: TSchema, place: string): string[] {
  const node = schema as Node
  if (isEmptyReply(schema) || isBytesReply(schema) || Type.IsUnknown(schema)) return []
  const inner = [
    ...Object.entries(node.properties ?? {}),
    ...(node.items ? [['[]', node.items] as const] : []),
    ...[node.anyOf, node.oneOf, node.allOf].flatMap((options) =>
      (options ?? []).map((option) => ['|', option] as const),
    ),
  ].flatMap(([name, field]) => findUntyped(field as TSchema, `${place}.${name}`))
  const isTyped = [node.type, node.anyOf, node.oneOf, node.allOf, node.const, node.enum].some(
    (part) => part !== undefined,
  )
  return isTyped ? inner : [place, ...inner]
}
