import type { Context } from '../../../platform/foundation/context.ts'
import { rolesOfGroups } from '../../../platform/foundation/group-roles.ts'
import { newId } from '../../../platform/foundation/ids.ts'
import { toOneLine } from '../../../platform/foundation/mail-address.ts'
import { toStorableText } from '../../../platform/foundation/storable-text.ts'
import { inTransaction } from '../../../platform/foundation/transaction.ts'
import { createValidator } from '../../../platform/foundation/validate.ts'
import { findShopIds } from '../../../shops/shops/store.ts'
import { extendsRights, type Rights } from '../../people/rules.ts'
import { Email } from '../../people/schema.ts'
import {
  findPersonByEmail,
  findPersonBySubject,
  findRights,
  insertPerson,
  lockPerson,
  normalizeEmail,
  type PersonRow,
  putPersonShops,
  updatePerson,
  withPassword,
} from '../../people/store.ts'
import { deleteLinkOf } from '../../sessions/links-store.ts'
import { type StartedSession, startSession } from '../../sessions/start-session.ts'
import { deleteSessionsOf } from '../../sessions/store.ts'
import type { OidcClient, OidcIdentity } from './client.ts'

/** Reasons to reject a person whom the provider has identified. The sign-in page has a text for each. */
export type OidcRejection = 'unverified' | 'address' | 'domain' | 'no-access' | 'disabled' | 'conflict'

export type OidcOutcome = { session: StartedSession } | { rejection: OidcRejection }

/** The rule for addresses in invitations too: messages go to this address, and it is a user name. */
const addresses = createValidator(Email, 'body')

/** Signs a person in whom the provider has identified: makes or updates the account, and its roles from the groups. */
export async function signInIdentity(
  context: Context,
  { config }: OidcClient,
  identity: OidcIdentity,
): Promise<OidcOutcome> {
  const { isEmailVerified } = identity
  if (identity.email === undefined || !isEmailVerified) return { rejection: 'unverified' }
  const email = normalizeEmail(identity.email)
  if (!addresses.isValid(email)) return { rejection: 'address' }
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (config.allowedDomains.length > 0 && !config.allowedDomains.includes(domain)) return { rejection: 'domain' }
  const granted = config.groupRoles && (await rightsOf(context, rolesOfGroups(config.groupRoles, identity.groups)))
  return inTransaction(context, (context) => signInLocked(context, { ...identity, email }, granted))
}

async function signInLocked(
  context: Context,
  identity: OidcIdentity & { email: string },
  /** Undefined: the roles that admins gave count. */
  granted: Rights | undefined,
): Promise<OidcOutcome> {
  const found = await findAccount(context, identity)
  if (found === 'conflict') return { rejection: 'conflict' }
  if (granted && !hasRights(granted)) {
    // A person who has left all groups loses what they had, at this attempt at the latest.
    if (found) await setRights(context, found.id, granted)
    return { rejection: 'no-access' }
  }
  if (found === undefined && granted === undefined) return { rejection: 'no-access' }
  if (found && found.disabled_at !== null) return { rejection: 'disabled' }
  const id = found?.id ?? newId(context.now)
  if (found === undefined && !(await insertPerson(context, { id, ...accountOf(identity), everywhere: null }))) {
    return { rejection: 'conflict' }
  }
  if (found?.oidc_subject === null) await takeOver(context, id)
  await updatePerson(context, id, { ...accountOf(identity), last_sign_in_at: context.now })
  if (granted) await setRights(context, id, granted)
  await context.services.announce(context, { kind: 'person', id })
  return { session: await startSession(context, { kind: 'person', id }) }
}

/** By the provider's own id, or by the e-mail address of an account that no other identity has. */
async function findAccount(
  context: Context,
  { issuer, subject, email }: OidcIdentity & { email: string },
): Promise<PersonRow | 'conflict' | undefined> {
  const bySubject = await findPersonBySubject(context, issuer, subject)
  const byEmail = await findPersonByEmail(context, email)
  const found = bySubject ?? byEmail
  if (found === undefined) return undefined
  // Addresses are given to new employees, ids are not.
  if (byEmail && byEmail.id !== found.id) return 'conflict'
  if (bySubject === undefined && found.oidc_subject !== null) return 'conflict'
  await lockPerson(context, found.id)
  return found
}

/**
 * From now on the provider vouches for this account. The person who accepted its invitation before may have been somebody else, so
 * nothing of what they set up stays.
 */
async function takeOver(context: Context, id: string): Promise<void> {
  await updatePerson(context, id, { ...withPassword(null), totp_secret: null, totp_confirmed_at: null })
  await deleteSessionsOf(context, { kind: 'person', id })
  await deleteLinkOf(context, id)
}

function accountOf({ issuer, subject, email, name }: OidcIdentity & { email: string }) {
  return {
    email,
    name: toStorableText(toOneLine(name ?? '') || email, 100),
    oidc_issuer: issuer,
    oidc_subject: subject,
  }
}

async function setRights(context: Context, id: string, granted: Rights): Promise<void> {
  if (extendsRights(await findRights(context, id), granted)) await deleteLinkOf(context, id)
  await updatePerson(context, id, { everywhere: granted.everywhere })
  await putPersonShops(context, id, granted.shops)
  if (!hasRights(granted)) await deleteSessionsOf(context, { kind: 'person', id })
  await context.services.announce(context, { kind: 'person', id })
}

async function rightsOf(context: Context, roles: ReturnType<typeof rolesOfGroups>): Promise<Rights> {
  const slugs = [...roles.keys()].filter((slug) => slug !== '*')
  const ids = await findShopIds(context, slugs)
  const unknown = slugs.filter((slug) => !ids.has(slug))
  if (unknown.length > 0) context.log.warn({ shops: unknown }, 'OIDC_ROLES names shops that do not exist')
  return {
    everywhere: roles.get('*') ?? null,
    shops: slugs.flatMap((slug) => {
      const [shopId, role] = [ids.get(slug), roles.get(slug)]
      return shopId === undefined || role === undefined ? [] : [{ shopId, role }]
    }),
  }
}

function hasRights({ everywhere, shops }: Rights): boolean {
  return everywhere !== null || shops.length > 0
}
