import { formOf } from '../../adapters/systems.ts'
import type { Context } from '../../platform/foundation/context.ts'
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

/** The secrets that a provider may sign its messages with, newest first; none if it has no secret. */
export async function findWebhookSecrets(context: Context, shopId: string, provider: Provider): Promise<string[]> {
  const current = webhookSecretIn(await findCredentials(context, shopId, provider))
  if (current === undefined) return []
  const row = await context.db
    .selectFrom('integration_keys')
    .where('shop_id', '=', shopId)
    .where('provider', '=', provider)
    .where('former_webhook_until', '>', context.now)
    .select('former_webhook_secret')
    .executeTakeFirst()
  const former = row?.former_webhook_secret
  return [current, ...(former ? [context.services.vault.open(former, formerPurposeOf(shopId, provider))] : [])]
}

/** A webhook secret that these replace is accepted until then. */
export async function putCredentials<Name extends Provider>(
  context: Context,
  shopId: string,
  provider: Name,
  { credentials, host, formerUntil }: { credentials: CredentialsOf<Name>; host: string | null; formerUntil: Date },
): Promise<void> {
  const { vault } = context.services
  const values = {
    sealed: vault.seal(JSON.stringify(credentials), purposeOf(shopId, provider)),
    masked: JSON.stringify(maskAll(formOf(provider), credentials)),
    updated_at: context.now,
    host,
    ...(await replacedSecret(context, shopId, provider, { credentials, formerUntil })),
  }
  await context.db
    .insertInto('integration_keys')
    .values({ shop_id: shopId, provider, ...values })
    .onConflict((conflict) => conflict.columns(['shop_id', 'provider']).doUpdateSet(values))
    .execute()
}

/** The columns of the former webhook secret, if another one takes its place. */
async function replacedSecret(
  context: Context,
  shopId: string,
  provider: Provider,
  { credentials, formerUntil }: { credentials: object; formerUntil: Date },
) {
  const [current, next] = [
    webhookSecretIn(await findCredentials(context, shopId, provider)),
    webhookSecretIn(credentials),
  ]
  if (current === next) return {}
  const isAccepted = current !== undefined && next !== undefined && formerUntil > context.now
  return {
    former_webhook_secret: isAccepted ? context.services.vault.seal(current, formerPurposeOf(shopId, provider)) : null,
    former_webhook_until: isAccepted ? formerUntil : null,
  }
}

function webhookSecretIn(credentials: object | undefined): string | undefined {
  const secret = credentials && 'webhook_secret' in credentials ? credentials.webhook_secret : undefined
  return typeof secret === 'string' ? secret : undefined
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

function formerPurposeOf(shopId: string, provider: Provider): string {
  return `${purposeOf(shopId, provider)}:former webhook secret`
}

/** Binds the encrypted text to its row: it cannot be decrypted for another shop or provider. */
function purposeOf(shopId: string, provider: Provider): string {
  return `${shopId}:${provider}`
}
