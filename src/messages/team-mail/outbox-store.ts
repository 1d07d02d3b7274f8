import { type Insertable, type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { isOfStoppedShop } from '../../platform/store/deleted-shops.ts'

export type TeamMailRow = Selectable<Tables['team_mails']>

export async function insertTeamMail(
  context: Pick<Context, 'db'>,
  row: Insertable<Tables['team_mails']>,
): Promise<void> {
  await context.db.insertInto('team_mails').values(row).execute()
}

/** Leases the message that has been due longest; the lease ends at the given time. */
export async function leaseTeamMail(context: Context, leaseUntil: Date): Promise<TeamMailRow | undefined> {
  const { rows } = await sql<TeamMailRow>`
    update team_mails set claim = claim + 1, is_claimed = true, due_at = ${leaseUntil}
    where id = (
      select id from team_mails
      where due_at <= ${context.now} and ${isOfStoppedShop('team_mails')} is not true
      order by due_at
      limit 1
      for update skip locked
    )
    returning *`.execute(context.db)
  return rows[0]
}

/** False if another worker has leased it since, or its person is gone. */
export async function deleteTeamMail(context: Pick<Context, 'db'>, { id, claim }: TeamMailRow): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('team_mails')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Gives a leased message back after a failure; it is due again at the given time. */
export async function postponeTeamMail(
  context: Pick<Context, 'db'>,
  { id, claim, failures }: TeamMailRow,
  dueAt: Date,
): Promise<void> {
  await context.db
    .updateTable('team_mails')
    .set({ due_at: dueAt, is_claimed: false, failures: Math.min(failures + 1, 1_000) })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute()
}

/** Makes the messages that an earlier process had leased due again. */
export async function releaseLeasedTeamMails(context: Context): Promise<void> {
  await context.db
    .updateTable('team_mails')
    .set({ due_at: context.now, is_claimed: false })
    .where('is_claimed', '=', true)
    .execute()
}
