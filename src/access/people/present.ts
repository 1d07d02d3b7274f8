import type { Context } from '../../platform/foundation/context.ts'
import { administers, mayManage } from './rules.ts'
import type { Person } from './schema.ts'
import type { PersonRecord } from './store.ts'

/** A person as the caller may see them: without the shops that the caller does not administer. */
export function toPerson({ principal }: Context, person: PersonRecord): Person {
  return {
    uuid: person.id,
    email: person.email,
    name: person.name,
    shops: [
      ...(person.everywhere === null ? [] : [{ shop_slug: '*', role: person.everywhere }]),
      ...person.shops
        .filter(({ shopId, isDeleted }) => !isDeleted && administers(principal, shopId))
        .map(({ slug, role }) => ({ shop_slug: slug, role })),
    ],
    status: statusOf(person),
    signs_in_with: person.isOidc ? 'oidc' : 'password',
    two_factor: person.hasTotp,
    created_at: person.createdAt.toISOString(),
    last_sign_in_at: person.lastSignInAt?.toISOString() ?? null,
    open_link:
      person.linkKind === null || person.linkExpiresAt === null
        ? null
        : { kind: person.linkKind, expires_at: person.linkExpiresAt.toISOString() },
    session_count: person.sessionCount,
    can_manage: mayManage(principal, person),
  }
}

function statusOf(person: PersonRecord): Person['status'] {
  if (person.disabledAt !== null) return 'disabled'
  return person.hasPassword || person.isOidc ? 'active' : 'invited'
}
