import type { Context } from '../../foundation/context.ts'
import { chooseLanguage } from '../../foundation/languages.ts'
import { findShop } from '../shops/store.ts'
import { findTeamMailAccount } from '../team-mail/account.ts'
import { queueTeamMail } from '../team-mail/outbox.ts'
import { findLanguageOf } from '../team-mail/subscription-store.ts'
import { type TeamLanguage, teamLanguage, teamLanguages } from '../team-mail/view.ts'
import type { PersonRecord } from './store.ts'

export interface MailedLink {
  kind: 'invitation' | 'reset'
  url: string
  /** Null: the person asked for it on the sign-in page. */
  createdBy: string | null
}

/** Queues a message with a link that sets a password. False if there is no account to send it with. */
export async function mailPasswordLink(context: Context, person: PersonRecord, link: MailedLink): Promise<boolean> {
  if (!(await canMailLink(context, person))) return false
  const shops = await Promise.all(person.shops.map(({ shopId }) => findShop(context, shopId)))
  const known = shops.filter((shop) => shop !== undefined)
  const view = {
    language: await languageFor(context, person, link, known[0]?.language),
    name: person.name,
    dashboardUrl: `${context.services.publicUrl}/dashboard`,
    url: link.url,
  }
  const { subject, html, text } = context.services.renderTeamMail(
    link.kind === 'reset'
      ? { ...view, kind: 'reset', expiresInHours: 24, createdBy: link.createdBy }
      : {
          ...view,
          kind: 'invitation',
          expiresInDays: 7,
          shopNames: person.everywhere === null ? known.map(({ name }) => name) : [],
          invitedBy: link.createdBy,
        },
  )
  const { id: personId, email: to } = person
  await queueTeamMail(context, { to, personId, shopId: onlyShopOf(person), kind: link.kind, subject, html, text })
  return true
}

export async function canMailLink(context: Context, person: PersonRecord): Promise<boolean> {
  return (await findTeamMailAccount(context, onlyShopOf(person))) !== undefined
}

/**
 * Whoever runs a shop's mail server can read the links that go through it, and become the person. So a shop's account is
 * used only for people who have no rights elsewhere.
 */
function onlyShopOf({ everywhere, shops }: PersonRecord): string | null {
  const [shop] = shops
  return everywhere === null && shops.length === 1 && shop ? shop.shopId : null
}

/** What the person has chosen, else that of their own browser, else the shop's. */
async function languageFor(
  context: Context,
  person: PersonRecord,
  { createdBy }: MailedLink,
  shopLanguage: string | undefined,
): Promise<TeamLanguage> {
  const chosen = await findLanguageOf(context, person.id)
  if (chosen) return teamLanguage(chosen)
  if (createdBy !== null && shopLanguage !== undefined) return teamLanguage(shopLanguage)
  const isOffered = (language: string) => teamLanguages.some((offered) => offered === language)
  return teamLanguage(chooseLanguage(context.acceptLanguage, 'en', isOffered))
}
