import { describe, expect, it } from 'vitest'
import { administers, extendsRights, mayManage, maySee, type Rights } from '../../src/access/people/rules.ts'
import { anonymous, type Principal, type Role } from '../../src/platform/foundation/roles.ts'

const caller = (everywhere: Role | undefined, shops: Record<string, Role> = {}): Principal => ({
  ...anonymous,
  kind: 'person',
  everywhere,
  shops: new Map(Object.entries(shops)),
})
const person = (everywhere: Role | null, shops: Record<string, Role> = {}): Rights => ({
  everywhere,
  shops: Object.entries(shops).map(([shopId, role]) => ({ shopId, role })),
})

const superadmin = caller('superadmin')
const adminOfAll = caller('admin')
const adminOfOne = caller(undefined, { one: 'admin', two: 'editor' })

describe('person', () => {
  it.each<[name: string, of: Principal, who: Rights, isSeen: boolean, isManaged: boolean]>([
    ['another superadmin', superadmin, person('superadmin'), true, true],
    ['a person without rights, by a superadmin', superadmin, person(null), true, true],
    ['a superadmin, by an admin', adminOfAll, person('superadmin'), false, false],
    ['an admin everywhere, by one', adminOfAll, person('admin'), true, false],
    ['a viewer everywhere, by an admin everywhere', adminOfAll, person('viewer'), true, false],
    ['a viewer everywhere, by an admin of a shop', adminOfOne, person('viewer'), true, false],
    ['a viewer of the shop and everywhere', adminOfOne, person('viewer', { one: 'viewer' }), true, false],
    ['a superadmin, by an admin of a shop', adminOfOne, person('superadmin'), false, false],
    ['an admin of the same shop', adminOfOne, person(null, { one: 'admin' }), true, true],
    [
      'an editor of two shops, of which one is the own',
      adminOfOne,
      person(null, { one: 'editor', two: 'viewer' }),
      true,
      false,
    ],
    ['a viewer of a shop in which the caller is editor', adminOfOne, person(null, { two: 'viewer' }), false, false],
    ['a viewer of a foreign shop', adminOfOne, person(null, { three: 'viewer' }), false, false],
    ['a viewer of any shop, by an admin everywhere', adminOfAll, person(null, { three: 'viewer' }), true, true],
    ['a person without rights, by an admin', adminOfAll, person(null), false, false],
    [
      'a person of the shop, by an editor',
      caller(undefined, { one: 'editor' }),
      person(null, { one: 'viewer' }),
      false,
      false,
    ],
    ['a person of the shop, by nobody', anonymous, person(null, { one: 'viewer' }), false, false],
  ])('%s', (_name, of, who, ...[isSeen, isManaged]) => {
    expect({ isSeen: maySee(of, who), isManaged: mayManage(of, who) }).toEqual({ isSeen, isManaged })
  })

  it('administers a shop by a role in it, or everywhere', () => {
    expect(administers(adminOfOne, 'one')).toBe(true)
    expect(administers(adminOfOne, 'two')).toBe(false)
    expect(administers(adminOfOne, 'three')).toBe(false)
    expect(administers(adminOfAll, 'three')).toBe(true)
    expect(administers(caller('viewer', { one: 'admin' }), 'one')).toBe(true)
    expect(administers(caller('admin', { one: 'viewer' }), 'one')).toBe(true)
    expect(administers(caller('viewer', { one: 'admin' }), 'two')).toBe(false)
  })
})

describe('change of rights', () => {
  it.each<[name: string, before: Rights, next: Rights, expected: boolean]>([
    ['a first role in a shop', person(null), person(null, { one: 'viewer' }), true],
    ['a role in another shop', person(null, { one: 'admin' }), person(null, { one: 'admin', two: 'viewer' }), true],
    ['a higher role in a shop', person(null, { one: 'viewer' }), person(null, { one: 'editor' }), true],
    ['a first role everywhere', person(null, { one: 'admin' }), person('viewer', { one: 'admin' }), true],
    ['a higher role everywhere', person('viewer'), person('admin'), true],
    ['a role in a shop above that everywhere', person('viewer'), person('viewer', { one: 'editor' }), true],
    ['a shop for everywhere', person(null, { one: 'admin' }), person('superadmin'), true],
    ['the same', person('viewer', { one: 'admin' }), person('viewer', { one: 'admin' }), false],
    ['a role in a shop that was held everywhere', person('admin'), person(null, { one: 'admin' }), false],
    ['a lower role', person('admin', { one: 'admin' }), person('viewer', { one: 'editor' }), false],
    ['nothing', person('superadmin', { one: 'admin' }), person(null), false],
  ])('to %s gives more: %#', (_name, before, next, expected) => {
    expect(extendsRights(before, next)).toBe(expected)
  })
})
