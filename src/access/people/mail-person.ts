import { findTeamMailAccount } from '../../messages/team-mail/account.ts'
import type { TeamMail } from '../../messages/team-mail/outbox.ts'
import { findLanguageOf } from '../../messages/team-mail/subscription-store.ts'
import { type TeamLanguage, teamLanguage } from '../../messages/team-mail/view.ts'
import type { Context, ShopIdentity } from '../../platform/foundation/context.ts'
import { findShop } from '../../shops/shops/store.ts'
import type { PersonRecord } from './store.ts'

/** The common part of all messages to a person about their account. */
export interface PersonalMail {
  shops: ShopIdentity[]
  /** The fields that every message shows. */
  view: { language: TeamLanguage; name: string; dashboardUrl: string }
  envelope: Pick<TeamMail, 'to' | 'personId' | 'shopId'>
}

/** Uses the language that the person has chosen, else that of `languageFor`, given the language of their first shop. */
export async function addressTo(
  context: Context,
  person: PersonRecord,
  languageFor: (ofShop: string | undefined) => string,
): Promise<PersonalMail> {
  const found = await Promise.all(person.shops.map(({ shopId }) => findShop(context, shopId)))
  const shops = found.filter((shop) => shop !== undefined)
  const language = teamLanguage((await findLanguageOf(context, person.id)) ?? languageFor(shops[0]?.language))
  return {
    shops,
    view: { language, name: person.name, dashboardUrl: `${context.services.publicUrl}/dashboard` },
    envelope: { to: person.email, personId: person.id, shopId: onlyShopOf(person) },
  }
}

/** Whether there is an account to send messages to the person with. */
export async function canMail(context: Context, person: PersonRecord): Promise<boolean> {
  return (await findTeamMailAccount(context, onlyShopOf(person))) !== undefined
}

/**
 * The operators of a shop's mail server can read the links that go through it, and become the person. So a shop's account is
 * used only for people who have no rights elsewhere.
 */
function onlyShopOf({ everywhere, shops }: PersonRecord): string | null {
  const [shop] = shops
  return everywhere === null && shops.length === 1 && shop ? shop.shopId : null
}
