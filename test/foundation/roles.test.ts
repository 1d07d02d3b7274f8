import { describe, expect, it } from 'vitest'
import {
  anonymous,
  highestRole,
  mayActAs,
  type Principal,
  type Role,
  roleIn,
  roles,
} from '../../src/platform/foundation/roles.ts'

const caller = (everywhere: Role | undefined, shops: Record<string, Role>): Principal => ({
  ...anonymous,
  kind: 'key',
  everywhere,
  shops: new Map(Object.entries(shops)),
})

describe('role in a shop', () => {
  it.each<[string, Role | undefined, Record<string, Role>, Role | undefined]>([
    ['the one given there', undefined, { here: 'editor', there: 'admin' }, 'editor'],
    ['none, if it is given elsewhere only', undefined, { there: 'admin' }, undefined],
    ['the one for all shops', 'editor', { there: 'admin' }, 'editor'],
    ['the one for all shops, if that is higher', 'admin', { here: 'viewer' }, 'admin'],
    ['the one given there, if that is higher', 'viewer', { here: 'admin' }, 'admin'],
    ['the one for all shops, above any that is given there', 'superadmin', { here: 'admin' }, 'superadmin'],
    ['none without any', undefined, {}, undefined],
  ])('is %s', (_name, everywhere, shops, expected) => {
    expect(roleIn(caller(everywhere, shops), 'here')).toBe(expected)
  })
})

describe('highest role', () => {
  it.each<[Role | undefined, Record<string, Role>, Role | undefined]>([
    [undefined, { a: 'viewer', b: 'admin', c: 'editor' }, 'admin'],
    ['editor', { a: 'viewer' }, 'editor'],
    ['viewer', { a: 'viewer', b: 'editor' }, 'editor'],
    ['superadmin', { a: 'admin' }, 'superadmin'],
    [undefined, {}, undefined],
  ])('of %s everywhere and %o is %s', (everywhere, shops, expected) => {
    expect(highestRole(caller(everywhere, shops))).toBe(expected)
  })
})

describe('a role', () => {
  it('includes what every lower one may do, and nothing of a higher one', () => {
    const allowed = roles.map((actual) => roles.filter((needed) => mayActAs(actual, needed)))
    expect(allowed).toEqual([
      ['viewer'],
      ['viewer', 'editor'],
      ['viewer', 'editor', 'admin'],
      ['viewer', 'editor', 'admin', 'superadmin'],
    ])
    expect(roles.filter((needed) => mayActAs(undefined, needed))).toEqual([])
  })
})
