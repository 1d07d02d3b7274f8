import { openResetRequest } from '../../messages/team-mail/outbox.ts'
import { deleteTeamMail, type TeamMailRow } from '../../messages/team-mail/outbox-store.ts'
import type { Context } from '../../platform/foundation/context.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { mailPasswordLink } from '../people/mail-link.ts'
import { canMail } from '../people/mail-person.ts'
import { findPersonByEmail, findPersonRecord, lockPerson } from '../people/store.ts'
import { createPasswordLink } from '../sessions/links.ts'

/**
 * Sends a link to somebody who has forgotten their password, if there is such an account: in one transaction with the
 * removal of the request, so that each request leads to one link.
 */
export function answerResetRequest(context: Context, row: TeamMailRow): Promise<void> {
  const { email, acceptLanguage } = openResetRequest(context.services.vault, row)
  return inTransaction({ ...context, acceptLanguage: acceptLanguage ?? undefined }, async (context) => {
    if (!(await deleteTeamMail(context, row))) return
    const known = await findPersonByEmail(context, email)
    if (known === undefined) return
    await lockPerson(context, known.id)
    const person = await findPersonRecord(context, known.id)
    if (person === undefined || person.isOidc || person.disabledAt !== null) return
    // A link replaces the one before, so none is created that cannot be sent.
    if (!(await canMail(context, person))) return
    const kind = person.hasPassword ? 'reset' : 'invitation'
    const { url } = await createPasswordLink(context, kind, person.id)
    await mailPasswordLink(context, person, { kind, url, createdBy: null })
  })
}
