import { renderTeamMail } from '../../messages/rendering/team/render.ts'
import { queueTeamMail } from '../../messages/team-mail/outbox.ts'
import { teamLanguages } from '../../messages/team-mail/view.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { chooseLanguage } from '../../platform/foundation/languages.ts'
import { addressTo, canMail } from './mail-person.ts'
import type { PersonRecord } from './store.ts'

export interface MailedLink {
  kind: 'invitation' | 'reset'
  url: string
  /** Null: the person asked for it on the sign-in page. */
  createdBy: string | null
}

/** Queues a message with a link that sets a password. False if there is no account to send it with. */
export async function mailPasswordLink(context: Context, person: PersonRecord, link: MailedLink): Promise<boolean> {
  if (!(await canMail(context, person))) return false
  const mail = await addressTo(context, person, (ofShop) =>
    link.createdBy !== null && ofShop !== undefined ? ofShop : browserLanguage(context),
  )
  const view = { ...mail.view, url: link.url }
  const { subject, html, text } = renderTeamMail(
    link.kind === 'reset'
      ? { ...view, kind: 'reset', expiresInHours: 24, createdBy: link.createdBy }
      : {
          ...view,
          kind: 'invitation',
          expiresInDays: 7,
          shopNames: person.everywhere === null ? mail.shops.map(({ name }) => name) : [],
          invitedBy: link.createdBy,
        },
  )
  await queueTeamMail(context, { ...mail.envelope, kind: link.kind, subject, html, text })
  return true
}

function browserLanguage({ acceptLanguage }: Context): string {
  const isOffered = (language: string) => teamLanguages.some((offered) => offered === language)
  return chooseLanguage(acceptLanguage, 'en', isOffered)
}
