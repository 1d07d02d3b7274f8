import type { Context } from '../../foundation/context.ts'
import { maskAll } from './rules.ts'
import type { CredentialsOf, Provider } from './schema.ts'

/** The decrypted credentials; undefined if none are set. They must not reach a log or a reply. */
export async function findCredentials<Name extends Provider>(
  context: Pick<Context, 'db' | 'services'>,
  shopId: string,
  provider: Name,
): Promise<CredentialsOf<Name> | undefined> {
  return (await findGivenCredentials(context, shopId, provider))?.credentials
}

/** The credentials with the host that they were entered for. */
export async function findGivenCredentials<Name extends Provider>(
  context: Pick<Context, 'db' | 'services'>,
  shopId: string,
  provider: Name,
): Promise<{ credentials: CredentialsOf<Name>; host: string | null } | undefined> {
  const row = await context.db
    .selectFrom('integration_keys')
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
    .select(['sealed', 'host'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const text = context.services.vault.open(row.sealed, purposeOf(shopId, provider))
  const credentials = JSON.parse(text) as CredentialsOf<Name> // sealed below, for this provider only
  return { credentials, host: row.host }
}

/**
 * Binds credentials without a host to this one, and returns the host they are bound to: another node may have been
 * faster.
 */
export async function bindCredentials(
  context: Pick<Context, 'db'>,
  shopId: string,
  provider: Provider,
  host: string,
): Promise<string | null> {
  const row = await context.db
    .updateTable('integration_keys')
    .set((found) => ({ host: found.fn.coalesce('host', found.val(host)) }))
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
    .returning('host')
    .executeTakeFirst()
  return row?.host ?? null
}

/** Replaces the credentials for a provider. */
export async function putCredentials<Name extends Provider>(
  context: Context,
  shopId: string,
  provider: Name,
  credentials: CredentialsOf<Name>,
  host: string | null,
): Promise<void> {
  const fresh = {
    sealed: context.services.vault.seal(JSON.stringify(credentials), purposeOf(shopId, provider)),
    masked: JSON.stringify(maskAll(credentials)),
    updated_at: context.now,
    host,
  }
  await context.db
    .insertInto('integration_keys')
    .values({ shop_id: shopId, provider, ...fresh })
    .onConflict((conflict) => conflict.columns(['shop_id', 'provider']).doUpdateSet(fresh))
    .execute()
}

/** The masked credentials of each provider; nothing is decrypted. */
export async function listMasked(
  context: Context,
  shopId: string,
): Promise<Map<string, Record<string, string | null>>> {
  const rows = await context.db
    .selectFrom('integration_keys')
    .where('shop_id', '=', shopId)
    .select(['provider', 'masked'])
    .execute()
  return new Map(rows.map(({ provider, masked }) => [provider, masked as Record<string, string | null>])) // see maskAll
}

/** False if none are set. */
export async function deleteCredentials(context: Context, shopId: string, provider: Provider): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('integration_keys')
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
    .returning('provider')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Binds the sealed text to its row: copied to another shop or provider, it does not open. */
function purposeOf(shopId: string, provider: Provider): string {
  return `${shopId}:${provider}`
}
