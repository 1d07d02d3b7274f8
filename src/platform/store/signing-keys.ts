import { sql } from 'kysely'
import type { Context } from '../foundation/context.ts'
import type { MovedKey, SigningKey } from '../foundation/signing-keys.ts'
import type { Vault } from '../foundation/vault.ts'
import { movedKeyPurpose } from './sealed-columns.ts'

type Store = Pick<Context, 'db'>

declare module '../foundation/caches.ts' {
  interface ChangeKinds {
    signingKeys: { id: string }
  }
}

/** All of them, newest first. */
export async function findSigningKeys({ db }: Store, vault: Vault): Promise<SigningKey[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(({ id, sealed, signs_from, valid_until }) => ({
    id,
    secret: vault.open(sealed, purposeOf(id)),
    signsFrom: signs_from,
    validUntil: valid_until,
  }))
}

/** By shop: those of shops that came from another installation. */
export async function findMovedKeys({ db }: Store, vault: Vault): Promise<Map<string, MovedKey[]>> {
  const rows = await db.selectFrom('moved_signing_keys').selectAll().execute()
  const found = new Map<string, MovedKey[]>()
  for (const { shop_id, id, sealed, valid_until } of rows) {
    const keys = found.get(shop_id) ?? []
    keys.push({ id, secret: vault.open(sealed, movedKeyPurpose(shop_id, id)), validUntil: valid_until })
    found.set(shop_id, keys)
  }
  return found
}

/** Unless there is one with this id. */
export async function insertSigningKey(
  { db, now }: Store & Pick<Context, 'now'>,
  vault: Vault,
  { id, secret, signsFrom, validUntil }: SigningKey,
): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({
      id,
      sealed: vault.seal(secret, purposeOf(id)),
      // The newest signs, even if the clock was ahead when the one before it was made.
      created_at: sql`greatest(${now}, (select max(created_at) + interval '1 millisecond' from signing_keys))`,
      signs_from: signsFrom,
      valid_until: validUntil,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Limits how long the keys in use and those of shops that moved here are accepted: until then, and none longer than
 * before.
 */
export async function endSigningKeys({ db }: Store, validUntil: Date): Promise<void> {
  for (const table of ['signing_keys', 'moved_signing_keys'] as const) {
    await db
      .updateTable(table)
      .set({ valid_until: validUntil })
      .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', validUntil)]))
      .execute()
  }
}

function purposeOf(id: string): string {
  return `signing key ${id}`
}
