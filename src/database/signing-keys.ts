import type { Context } from '../foundation/context.ts'
import type { SigningKey } from '../foundation/signing-keys.ts'
import type { Vault } from '../foundation/vault.ts'

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
      created_at: now,
      signs_from: signsFrom,
      valid_until: validUntil,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Those that are in use are accepted until then, and none longer than it is accepted already. */
export async function endSigningKeys({ db }: Store, validUntil: Date): Promise<void> {
  await db
    .updateTable('signing_keys')
    .set({ valid_until: validUntil })
    .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', validUntil)]))
    .execute()
}

function purposeOf(id: string): string {
  return `signing key ${id}`
}
