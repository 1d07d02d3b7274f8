import type { Context } from '../../platform/foundation/context.ts'
import type { DigestPeriod, TeamMailAddress } from './schema.ts'
import { listPeopleOf } from './subscription-store.ts'
import { type TeamLanguage, teamLanguage } from './view.ts'

/** Somebody who is sent messages about a shop: a person, or an address that an admin has added. */
export interface Recipient {
  /** Null: an address without an account. */
  personId: string | null
  email: string
  name: string
  digest: DigestPeriod
  alerts: boolean
  language: TeamLanguage
  /** Whether they may see what only admins see. */
  isAdmin: boolean
}

/** Each address once: what a person has chosen counts more than what an admin has added. */
export async function listRecipients(
  context: Context,
  shop: { id: string; language: string },
  addresses: readonly TeamMailAddress[],
): Promise<Recipient[]> {
  const people = await listPeopleOf(context, shop.id)
  const known = new Set(people.map(({ email }) => email))
  return [
    ...people.map((person) => ({ ...person, language: teamLanguage(person.language ?? shop.language) })),
    ...addresses
      .filter(({ email }) => !known.has(email))
      .map(({ email, digest, alerts, language }) => ({
        personId: null,
        email,
        name: '',
        digest,
        alerts,
        language: language ?? teamLanguage(shop.language),
        isAdmin: true,
      })),
  ]
}
