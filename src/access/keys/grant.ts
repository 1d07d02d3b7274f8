import type { Context } from '../../platform/foundation/context.ts'
import { ApiError, invalid } from '../../platform/foundation/errors.ts'
import { type GrantableRole, mayActAs, type Role, roleIn } from '../../platform/foundation/roles.ts'
import { findShopIds } from '../../shops/shops/store.ts'

/** A role in a shop; `*` stands for all shops. */
export interface Grant<Granted extends Role = GrantableRole> {
  shop_slug: string
  role: Granted
}

interface CheckedGrants<Granted extends Role> {
  everywhere: Granted | null
  bound: { shopId: string; role: Granted }[]
  /** Each shop once: if a shop is listed twice, the last role counts. */
  granted: Grant<Granted>[]
}

/** Callers cannot grant more than they have: they must be admin in each shop, and superadmin for all shops. */
export async function checkGrants<Granted extends Role>(
  context: Context,
  wanted: Grant<Granted>[],
): Promise<CheckedGrants<Granted>> {
  const roles = new Map(wanted.map(({ shop_slug, role }) => [shop_slug, role]))
  const ids = await findShopIds(context, [...roles.keys()])
  const bound: CheckedGrants<Granted>['bound'] = []
  for (const [slug, role] of roles) {
    if (slug === '*') {
      if (context.principal.everywhere === 'superadmin') continue
      throw new ApiError('insufficient_rights', 'Only a superadmin can give access to all shops.')
    }
    const shopId = ids.get(slug)
    const ownRole = shopId === undefined ? undefined : roleIn(context.principal, shopId)
    // A shop the caller cannot see is reported like one that does not exist.
    if (shopId === undefined || ownRole === undefined) {
      const index = wanted.findIndex(({ shop_slug }) => shop_slug === slug)
      throw invalid(['body', 'shops', index, 'shop_slug'], `there is no shop "${slug}"`)
    }
    if (!mayActAs(ownRole, 'admin')) {
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

/** The expiration of a new key; 0 is never. Undefined, an error, if it would outlive the key that creates it. */
export function expirationOf(own: number, wanted: number | null | undefined): number | undefined {
  if (wanted === undefined || wanted === null) return own
  const outlives = own > 0 && (wanted === 0 || wanted > own)
  return outlives ? undefined : wanted
}
