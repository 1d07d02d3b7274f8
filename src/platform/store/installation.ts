import type { Context } from '../foundation/context.ts'

/** Facts that scheduled backups record: the last complete one, and the last that failed. */
export const lastBackupFact = 'backup_last_success'
export const failedBackupFact = 'backup_last_failure'

/**
 * Whether addresses of webhooks are sealed: `on`, or since when no node of version 0.2.0 was seen. Migrations set it
 * for a new store.
 */
export const sealedAddressesFact = 'sealed_webhook_addresses'

/** Whether every node knows the event group of customs: `on`, or since when no older node was seen. */
export const customsGroupFact = 'customs_group'

/** The values of the facts about backups, as JSON. */
export interface LastBackup {
  at: string
  name: string
  bytes: number
  seconds: number
}

export interface FailedBackup {
  at: string
  message: string
}

/** The scheduled job that writes backups. */
export const backupJob = 'backup'

/** Writes a fact about the installation unless there is one, and returns the stored value. A transaction locks it. */
export async function claimFact(
  context: Pick<Context, 'db'>,
  name: string,
  value: string,
): Promise<{ value: string; isNew: boolean }> {
  const inserted = await context.db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('value')
    .executeTakeFirst()
  if (inserted) return { value, isNew: true }
  const known = await context.db
    .selectFrom('installation')
    .where('name', '=', name)
    .select('value')
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { value: known.value, isNew: false }
}

/** A fact about the installation; undefined if there is none. */
export async function findFact(context: Pick<Context, 'db'>, name: string): Promise<string | undefined> {
  const found = await context.db.selectFrom('installation').where('name', '=', name).select('value').executeTakeFirst()
  return found?.value
}

/** Writes a fact about the installation, or overwrites it. */
export async function putFact(context: Pick<Context, 'db'>, name: string, value: string): Promise<void> {
  await context.db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function removeFact(context: Pick<Context, 'db'>, name: string): Promise<void> {
  await context.db.deleteFrom('installation').where('name', '=', name).execute()
}
