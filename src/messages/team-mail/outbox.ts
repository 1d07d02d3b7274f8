import type { Context } from '../../platform/foundation/context.ts'
import { newId } from '../../platform/foundation/ids.ts'
import type { Vault } from '../../platform/foundation/vault.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import { insertTeamMail, type TeamMailRow } from './outbox-store.ts'

export const teamMailKinds = ['invitation', 'reset', 'password_warning', 'digest', 'alert'] as const
export type TeamMailKind = (typeof teamMailKinds)[number]

/** A message to one of the merchant's people. */
export interface TeamMail {
  to: string
  /** Null: not about one shop; sent with the installation's account only. */
  shopId: string | null
  /** Null: an address without an account. */
  personId: string | null
  kind: TeamMailKind
  subject: string
  html: string
  text: string
}

type Content = Pick<TeamMail, 'to' | 'subject' | 'html' | 'text'>

/** Queues a message, which is sent once the transaction is committed, and never if it is rolled back. */
export async function queueTeamMail(context: Context, { shopId, personId, kind, ...content }: TeamMail): Promise<void> {
  await queue(context, { shopId, personId, kind }, content)
}

/** A request from the sign-in page. Whether there is such an account is looked up when it is processed. */
export interface ResetRequest {
  email: string
  acceptLanguage: string | null
}

/**
 * Queues a request for a new password. It costs the same whether or not the account exists, so that the time of the
 * response does not reveal it.
 */
export async function queueResetRequest(context: Context, request: ResetRequest): Promise<void> {
  await queue(context, { shopId: null, personId: null, kind: 'reset_request' }, request)
}

async function queue(
  context: Context,
  { shopId, personId, kind }: { shopId: string | null; personId: string | null; kind: string },
  content: object,
): Promise<void> {
  const id = newId(context.now)
  await insertTeamMail(context, {
    id,
    shop_id: shopId,
    person_id: personId,
    kind,
    sealed: context.services.vault.seal(JSON.stringify(content), purposeOf(id)),
    created_at: context.now,
    due_at: context.now,
  })
  wakeOnceCommitted(context, 'teamMails')
}

/** The address and the message of a queued row. */
export function openTeamMail(vault: Vault, row: TeamMailRow): Content {
  return JSON.parse(vault.open(row.sealed, purposeOf(row.id))) as Content // sealed above
}

/** The request of a queued row of the kind `reset_request`. */
export function openResetRequest(vault: Vault, row: TeamMailRow): ResetRequest {
  return JSON.parse(vault.open(row.sealed, purposeOf(row.id))) as ResetRequest // sealed above
}

function purposeOf(id: string): string {
  return `team mail ${id}`
}
