import { createSignInLink } from '../../access/sessions/links.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { Database } from '../../platform/store/database.ts'
import type { Credentials } from './installation.ts'

interface StartedService {
  database: Pick<Database, 'engine'>
  dashboard: object | undefined
  newCredentials: Credentials | undefined
  context(): Context
}

/** A link that signs the operator in as the superadmin, once, and opens this shop; undefined if none may be printed. */
export async function offerSignIn(
  service: StartedService,
  config: Config,
  shopSlug: string | undefined,
): Promise<string | undefined> {
  if (service.dashboard === undefined || !isOfferSafe(service, config)) return undefined
  const context = service.context()
  try {
    return (await createSignInLink(context, { shopSlug })).url
  } catch (err) {
    // The service runs all the same, and there are other ways to sign in.
    context.log.warn({ err }, 'no sign-in link could be created')
    return undefined
  }
}

/**
 * For an hour the link is worth a key. On a trial the reader of the output owns the data folder, so every start prints one.
 * Elsewhere the output may be collected: only the start that prints the new key prints a link, too.
 */
function isOfferSafe({ database, newCredentials }: StartedService, { isProduction }: Config): boolean {
  return (database.engine === 'embedded' && !isProduction) || newCredentials !== undefined
}
