import { renderTeamMail } from '../../messages/rendering/team/render.ts'
import { queueTeamMail } from '../../messages/team-mail/outbox.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { addressTo, canMail } from './mail-person.ts'
import type { PersonRecord } from './store.ts'

/** Queues a message that somebody has the person's password, if there is an account to send it with. */
export async function mailPasswordWarning(
  context: Context,
  person: PersonRecord,
  { at, network }: { at: Date; network: string },
): Promise<void> {
  if (!(await canMail(context, person))) return
  // Not in the language of the browser: it is somebody else's.
  const { view, envelope } = await addressTo(context, person, (ofShop) => ofShop ?? 'en')
  const url = `${view.dashboardUrl}/account`
  const rendered = renderTeamMail({ ...view, kind: 'password_warning', at, network, url })
  await queueTeamMail(context, { ...envelope, kind: 'password_warning', ...rendered })
}
