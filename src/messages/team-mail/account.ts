import { findMailAccount } from '../../credentials/mail-account/account.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { MailAccount } from '../../platform/mail/account.ts'

/** The account that messages to the team are sent with: the installation's, else that of the shop that they are about. */
export async function findTeamMailAccount(context: Context, shopId: string | null): Promise<MailAccount | undefined> {
  const { defaultMailAccount } = context.services
  if (defaultMailAccount !== undefined || shopId === null) return defaultMailAccount
  return (await findMailAccount(context, shopId))?.account
}
