/** Roles of a key in a shop, lowest first: a higher role may do everything that a lower one may. */
export const roles = ['viewer', 'editor', 'admin', 'superadmin'] as const
export type Role = (typeof roles)[number]

/** The roles a key can be given; only the first credentials have the role superadmin. */
export const grantableRoles = ['admin', 'editor', 'viewer'] as const
export type GrantableRole = (typeof grantableRoles)[number]

export function mayActAs(actual: Role | undefined, needed: Role): boolean {
  return actual !== undefined && roles.indexOf(actual) >= roles.indexOf(needed)
}

/** The caller, with its roles. */
export interface Principal {
  kind: 'key' | 'person' | 'system' | 'nobody'
  /** The id of the key or the person, by which requests are counted and repeated. */
  keyId: string
  /** The name that it signs in with: the user name of a key, the e-mail address of a person. */
  username: string
  /** The name that others see: the name of a person, the user name of a key. */
  name: string
  /** Present if it signed in: the session of this request. */
  sessionId?: string
  /** The role in every shop, for those that are not bound to some. */
  everywhere: Role | undefined
  /** The role by shop id. */
  shops: ReadonlyMap<string, Role>
  /** Expiry of the key, in Unix seconds; 0 is never. */
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

/** The name that others see for this caller's actions. */
export function principalName({ name, username }: Principal): string {
  return name === '' ? username : name
}

/** A caller without credentials. */
export const anonymous: Principal = {
  kind: 'nobody',
  keyId: '',
  username: '',
  name: '',
  everywhere: undefined,
  shops: new Map(),
  expiration: 0,
}
