import type { Selectable } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'

export type LinkRow = Selectable<Tables['sign_in_links']>

/** A person has one link at a time: a new one replaces the one before. */
export async function insertLink(context: Pick<Context, 'db'>, link: LinkRow): Promise<void> {
  await context.db
    .insertInto('sign_in_links')
    .values(link)
    .onConflict((conflict) =>
      conflict.column('person_id').where('person_id', 'is not', null).doUpdateSet({
        token_hash: link.token_hash,
        kind: link.kind,
        created_at: link.created_at,
        expires_at: link.expires_at,
      }),
    )
    .execute()
}

export async function findLink(
  context: Pick<Context, 'db' | 'now'>,
  tokenHash: Uint8Array,
): Promise<LinkRow | undefined> {
  return context.db
    .selectFrom('sign_in_links')
    .where('token_hash', '=', Buffer.from(tokenHash))
    .where('expires_at', '>', context.now)
    .selectAll()
    .executeTakeFirst()
}

/** Uses a link up: of two at the same moment, one gets it. */
export async function claimLink(
  context: Pick<Context, 'db' | 'now'>,
  tokenHash: Uint8Array,
  kinds: readonly LinkRow['kind'][],
): Promise<LinkRow | undefined> {
  return context.db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', Buffer.from(tokenHash))
    .where('expires_at', '>', context.now)
    .where('kind', 'in', kinds)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteLinkOf(context: Pick<Context, 'db'>, personId: string): Promise<void> {
  await context.db.deleteFrom('sign_in_links').where('person_id', '=', personId).execute()
}
