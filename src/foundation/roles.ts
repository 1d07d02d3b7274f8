/** What a key may do in a shop, lowest first: a higher role may do what a lower one may. */
export const roles = ['viewer', 'editor', 'admin', 'superadmin'] as const
export type Role = (typeof roles)[number]

/** The roles a key can be given; only the first credentials have the role superadmin. */
export const grantableRoles = ['admin', 'editor', 'viewer'] as const
export type GrantableRole = (typeof grantableRoles)[number]

export function mayActAs(actual: Role | undefined, needed: Role): boolean {
  return actual !== undefined && roles.indexOf(actual) >= roles.indexOf(needed)
}

/** The caller: its key and what the key may do. */
export interface Principal {
  keyId: string
  username: string
  /** The role in every shop, for keys that are not bound to some. */
  everywhere: Role | undefined
  /** The role by shop id. */
  shops: ReadonlyMap<string, Role>
  /** When the key expires, in Unix seconds; 0 is never. */
  expiration: number
}

export function roleIn(principal: Principal, shopId: string): Role | undefined {
  const bound = principal.shops.get(shopId)
  if (bound === undefined || principal.everywhere === undefined) return bound ?? principal.everywhere
  return mayActAs(principal.everywhere, bound) ? principal.everywhere : bound
}

/** The highest role in any shop: it counts for operations outside a shop. */
export function highestRole(principal: Principal): Role | undefined {
  let highest = principal.everywhere
  for (const role of principal.shops.values()) if (!mayActAs(highest, role)) highest = role
  return highest
}

/** A caller without a key. */
export const anonymous: Principal = { keyId: '', username: '', everywhere: undefined, shops: new Map(), expiration: 0 }
