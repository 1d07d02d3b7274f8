import { mayActAs, type Principal, type Role, roleIn, roles } from '../../platform/foundation/roles.ts'

/** The rights of a person. */
export interface Rights {
  everywhere: Role | null
  shops: readonly { shopId: string; role: Role }[]
}

/** Whether the caller sees the person: all, or those of the shops that the caller administers. */
export function maySee(principal: Principal, person: Rights): boolean {
  if (principal.everywhere === 'superadmin') return true
  if (person.everywhere !== null) return person.everywhere !== 'superadmin'
  return person.shops.some(({ shopId }) => administers(principal, shopId))
}

/**
 * Whether the caller may change the person, or create a link that sets their password. The holder of such a link can become
 * the person, so the caller must administer everything that the person has rights in.
 */
export function mayManage(principal: Principal, person: Rights): boolean {
  if (principal.everywhere === 'superadmin') return true
  if (person.everywhere !== null || person.shops.length === 0) return false
  return person.shops.every(({ shopId }) => administers(principal, shopId))
}

export function administers(principal: Principal, shopId: string): boolean {
  return mayActAs(roleIn(principal, shopId), 'admin')
}

/** Whether a change of rights gives more than there was before. */
export function extendsRights(before: Rights, next: Rights): boolean {
  const heldIn = (shopId: string) => Math.max(rank(before.everywhere), rank(roleOf(before, shopId)))
  return (
    rank(next.everywhere) > rank(before.everywhere) ||
    next.shops.some(({ shopId, role }) => rank(role) > heldIn(shopId))
  )
}

function roleOf({ shops }: Rights, shopId: string): Role | null {
  return shops.find((shop) => shop.shopId === shopId)?.role ?? null
}

function rank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role)
}
