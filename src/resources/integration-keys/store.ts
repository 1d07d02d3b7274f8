import type { Context } from '../../foundation/context.ts'
import { maskAll } from './rules.ts'
import type { CredentialsOf, Provider } from './schema.ts'

/** The decrypted credentials for a provider. They must never appear in a log or a response. */
export async function findCredentials<Name extends Provider>(
  context: Pick<Context, 'db' | 'services'>,
  shopId: string,
  provider: Name,
): Promise<CredentialsOf<Name> | undefined> {
  return (await findCredentialsWithHost(context, shopId, provider))?.credentials
}

/** The same, with the host that they are bound to. */
export async function findCredentialsWithHost<Name extends Provider>(
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
  const credentials = JSON.parse(text) as CredentialsOf<Name> // encrypted by putCredentials, for this provider only
  return { credentials, host: row.host }
}

/** Binds credentials to a host unless they have one. Returns their host: another node may have been faster. */
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

export async function putCredentials<Name extends Provider>(
  context: Context,
  shopId: string,
  provider: Name,
  credentials: CredentialsOf<Name>,
  host: string | null,
): Promise<void> {
  const values = {
    sealed: context.services.vault.seal(JSON.stringify(credentials), purposeOf(shopId, provider)),
    masked: JSON.stringify(maskAll(provider, credentials)),
    updated_at: context.now,
    host,
  }
  await context.db
    .insertInto('integration_keys')
    .values({ shop_id: shopId, provider, ...values })
    .onConflict((conflict) => conflict.columns(['shop_id', 'provider']).doUpdateSet(values))
    .execute()
}

/** The masked credentials by provider, which are stored in plain text: nothing is decrypted. */
export async function listMasked(
  context: Context,
  shopId: string,
): Promise<Map<string, Record<string, string | null>>> {
  const rows = await context.db
    .selectFrom('integration_keys')
    .where('shop_id', '=', shopId)
    .select(['provider', 'masked'])
    .execute()
  return new Map(rows.map(({ provider, masked }) => [provider, masked as Record<string, string | null>])) // written by maskAll
}

/** Returns false if none are set. */
export async function deleteCredentials(context: Context, shopId: string, provider: Provider): Promise<boolean> {
  const deleted = await context.db
    .deleteFrom('integration_keys')
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
    .returning('provider')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Binds the encrypted text to its row: it cannot be decrypted for another shop or provider. */
function purposeOf(shopId: string, provider: Provider): string {
  return `${shopId}:${provider}`
}
