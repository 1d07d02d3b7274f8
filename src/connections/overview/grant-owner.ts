import { findPrincipalById } from '../../access/keys/store.ts'
import { findPerson, findRights } from '../../access/people/store.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { anonymous, mayActAs, type Principal, roleIn } from '../../platform/foundation/roles.ts'
import type { GrantRow } from './grant-store.ts'

/** Who began a grant; undefined if they are not an admin of the shop any longer. */
export async function findGrantOwner(context: Context, grant: GrantRow): Promise<Principal | undefined> {
  const owner =
    grant.actor_kind === 'person' ? await findPersonPrincipal(context, grant) : await findKey(context, grant)
  return owner && mayActAs(roleIn(owner, grant.shop_id), 'admin') ? owner : undefined
}

async function findPersonPrincipal(context: Context, { actor_id: id }: GrantRow): Promise<Principal | undefined> {
  const person = await findPerson(context, id)
  if (person === undefined || person.disabled_at !== null) return undefined
  const { everywhere, shops } = await findRights(context, id)
  return {
    ...anonymous,
    kind: 'person',
    keyId: id,
    username: person.email,
    name: person.name,
    everywhere: everywhere ?? undefined,
    shops: new Map(shops.map(({ shopId, role }) => [shopId, role])),
  }
}

async function findKey(context: Context, { actor_id: id }: GrantRow): Promise<Principal | undefined> {
  const key = await findPrincipalById(context, id)
  const isExpired = key !== undefined && key.expiration !== 0 && key.expiration * 1_000 <= context.now.getTime()
  return isExpired ? undefined : key
}
