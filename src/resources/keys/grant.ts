import type { Context } from '../../foundation/context.ts'
import { ApiError, invalid } from '../../foundation/errors.ts'
import { type GrantableRole, mayActAs, roleIn } from '../../foundation/roles.ts'
import { findShopIds } from '../shops/store.ts'

/** A role in a shop, as a request asks for it; `*` stands for all shops. */
export interface Grant {
  shop_slug: string
  role: GrantableRole
}

interface Granted {
  everywhere: GrantableRole | null
  bound: { shopId: string; role: GrantableRole }[]
  /** What the key is for, each shop once: of a shop that is named twice, the last role counts. */
  granted: Grant[]
}

/** Nobody hands out more than they hold: in each shop the caller must be an admin, for all shops a superadmin. */
export async function grantable(context: Context, wanted: Grant[]): Promise<Granted> {
  const roles = new Map(wanted.map(({ shop_slug, role }) => [shop_slug, role]))
  const ids = await findShopIds(context, [...roles.keys()])
  const bound: Granted['bound'] = []
  for (const [slug, role] of roles) {
    if (slug === '*') {
      if (context.principal.everywhere === 'superadmin') continue
      throw new ApiError('insufficient_rights', 'Only the superadmin can create a key for all shops.')
    }
    const shopId = ids.get(slug)
    const held = shopId === undefined ? undefined : roleIn(context.principal, shopId)
    // A shop the caller cannot see is reported like one that does not exist.
    if (shopId === undefined || held === undefined) {
      const index = wanted.findIndex(({ shop_slug }) => shop_slug === slug)
      throw invalid(['body', 'shops', index, 'shop_slug'], `there is no shop "${slug}"`)
    }
    if (!mayActAs(held, 'admin')) {
      throw new ApiError('insufficient_rights', `This needs the role admin in the shop "${slug}".`)
    }
    bound.push({ shopId, role })
  }
  return {
    everywhere: roles.get('*') ?? null,
    bound,
    granted: [...roles].map(([shop_slug, role]) => ({ shop_slug, role })),
  }
}

/** When a new key expires: never after the key that makes it. Undefined where that is asked for; 0 is never. */
export function grantedExpiration(own: number, wanted: number | null | undefined): number | undefined {
  if (wanted === undefined || wanted === null) return own
  const outlives = own > 0 && (wanted === 0 || wanted > own)
  return outlives ? undefined : wanted
}
