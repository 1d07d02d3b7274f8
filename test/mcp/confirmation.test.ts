import { describe, expect, it } from 'vitest'
import { type Action, checkConfirmation, issueConfirmation } from '../../packages/mcp/src/confirmation.ts'

const key = Buffer.alloc(32, 'k')
const now = new Date('2026-11-15T12:00:00Z')
const action: Action = {
  caller: 'a key',
  shop: 'river-and-pine',
  tool: 'add_note',
  arguments: { order_id: 'one', text: 'Call back' },
}
const { token, expiresAt } = issueConfirmation(key, action, now)
const [nonce, expires, signature] = token.split('.')

describe('confirmation', () => {
  it('is good for the same action, whatever the order of its arguments', () => {
    expect(checkConfirmation(key, action, token, now)).toBe(nonce)
    const reordered = { text: 'Call back', order_id: 'one', until: undefined }
    expect(checkConfirmation(key, { ...action, arguments: reordered }, token, now)).toBe(nonce)
  })

  it.each<[string, Partial<Action>]>([
    ['another caller', { caller: 'another key' }],
    ['another shop', { shop: 'hill-and-dale' }],
    ['another tool', { tool: 'resolve_exception' }],
    ['another value', { arguments: { order_id: 'two', text: 'Call back' } }],
    ['one argument more', { arguments: { ...action.arguments, pinned: true } }],
    ['one argument less', { arguments: { order_id: 'one' } }],
  ])('is not good for %s', (_name, changed) => {
    expect(checkConfirmation(key, { ...action, ...changed }, token, now)).toBeUndefined()
  })

  it('is not good with another key', () => {
    expect(checkConfirmation(Buffer.alloc(32, 'x'), action, token, now)).toBeUndefined()
  })

  it('is good for ten minutes', () => {
    expect(expiresAt.getTime() - now.getTime()).toBe(600_000)
    expect(checkConfirmation(key, action, token, new Date(expiresAt.getTime() - 1))).toBe(nonce)
    expect(checkConfirmation(key, action, token, expiresAt)).toBeUndefined()
  })

  it.each([
    ['a later end', `${nonce}.${Number(expires) + 1}.${signature}`],
    ['another nonce', `${nonce}x.${expires}.${signature}`],
    ['no signature', `${nonce}.${expires}.`],
    ['a fourth part', `${token}.x`],
    ['an end that is no number', `${nonce}.soon.${signature}`],
    ['nothing', ''],
  ])('is not good with %s', (_name, forged) => {
    expect(checkConfirmation(key, action, forged, now)).toBeUndefined()
  })

  it('is another one each time, so that the same request can be made again', () => {
    expect(issueConfirmation(key, action, now).token).not.toBe(token)
  })
})
