import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/platform/foundation/errors.ts'
import { checkEndpoint, mergeHeaders } from '../../src/webhooks/endpoints/rules.ts'
import type { EndpointUpdate } from '../../src/webhooks/endpoints/schema.ts'

function problemsOf(update: EndpointUpdate): string[] {
  try {
    checkEndpoint(update)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.key).toBe('invalid_payload')
    return error.problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
  }
}

const header = (name: string, value: string | null | undefined = 'secret') => ({ name, value })

describe('webhook endpoint', () => {
  it('may listen to all, a source, a phase or one event', () => {
    expect(problemsOf({ enabled_events: ['*', 'shipments', 'shipments/delivered', 'claims/created'] })).toEqual([])
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({ enabled_events: null, headers: null, conditions: null })).toEqual([])
  })

  it('is told every problem at once, each at its place', () => {
    const problems = problemsOf({
      enabled_events: ['*', 'shipments/arrived'],
      headers: [header('X-Key'), header('x y')],
    })
    expect(problems).toEqual([
      'body.enabled_events.1: "shipments/arrived" is not a known event',
      expect.stringContaining('body.headers.1.name: may have letters, digits and hyphens only'),
    ])
  })

  it.each(['X-Api-Key', 'Authorization', 'x_key', "it's.ok!"])('may have the header %s', (name) => {
    expect(problemsOf({ headers: [header(name)] })).toEqual([])
  })

  it.each([
    'Host',
    'content-type',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Proxy-Authorization',
    'webhook-id',
    'Webhook-Signature',
    'X-Shop-Signature',
    'traceparent',
    'user-agent',
  ])('must not have the header %s, which is set for it', (name) => {
    expect(problemsOf({ headers: [header(name)] })).toEqual([
      `body.headers.0.name: ${name} is set by the service and cannot be chosen`,
    ])
  })

  it.each(['', 'X Key', 'X:Key', 'Schlüssel', 'X\r\nHost'])('must not have a header called %j', (name) => {
    expect(problemsOf({ headers: [header(name)] })).toHaveLength(1)
  })

  it('has each header once, whatever its case', () => {
    expect(problemsOf({ headers: [header('X-Key'), header('Y-Key'), header('x-key')] })).toEqual([
      'body.headers.2.name: x-key is in the list twice',
    ])
  })

  it.each(['a\r\nHost: evil.example', 'a\nb', ' a', 'a ', 'ä', 'a\u0000'])('must not send the value %j', (value) => {
    expect(problemsOf({ headers: [header('X-Key', value)] })).toEqual([
      expect.stringContaining('body.headers.0.value: must be printable ASCII on one line'),
    ])
  })

  it.each(['a', 'Bearer 5f2c', 'a\tb', null])('may send the value %j', (value) => {
    expect(problemsOf({ headers: [header('X-Key', value)] })).toEqual([])
  })
})

describe('headers of an endpoint', () => {
  const stored = [
    { name: 'X-Key', value: 'old' },
    { name: 'Y-Key', value: 'other' },
  ]

  it('keep the value of their name, unless another is given', () => {
    expect(mergeHeaders([{ name: 'x-key' }, header('Y-Key', 'new')], stored)).toEqual([
      { name: 'x-key', value: 'old' },
      { name: 'Y-Key', value: 'new' },
    ])
    expect(mergeHeaders([header('Y-Key', null)], stored)).toEqual([{ name: 'Y-Key', value: 'other' }])
    expect(mergeHeaders([], stored)).toEqual([])
  })

  it('need a value if none is stored', () => {
    expect(() => mergeHeaders([header('X-Key', 'a'), { name: 'Z-Key' }], stored)).toThrow(
      'the value of Z-Key is needed',
    )
    expect(() => mergeHeaders([{ name: 'X-Key' }], [])).toThrow('the value of X-Key is needed')
  })
})
