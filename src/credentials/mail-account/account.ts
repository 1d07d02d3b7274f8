import { defineCache } from '../../platform/foundation/caches.ts'
import { minuteMs } from '../../platform/foundation/clock.ts'
import type { Context } from '../../platform/foundation/context.ts'
import type { MailAccount } from '../../platform/mail/account.ts'
import type { CredentialsOf } from '../integration-keys/schema.ts'
import { findCredentials } from '../integration-keys/store.ts'

declare module '../../platform/foundation/caches.ts' {
  interface ChangeKinds {
    /** A shop's mail account, or the settings of its mail. */
    mail: { shopId: string }
  }
}

/** The account that the messages of a shop are sent with. */
export interface FoundMailAccount {
  account: MailAccount
  source: 'shop' | 'installation'
}

/** By shop: every message needs it. */
const accountCache = defineCache<{ own: MailAccount | undefined }>({
  name: 'mail accounts',
  maxEntries: 1_000,
  ttlMs: minuteMs,
  invalidatedBy: { mail: ({ shopId }, _value, key) => key === shopId },
})

/** The shop's own account, else the installation's; undefined if there is neither. */
export async function findMailAccount(context: Context, shopId: string): Promise<FoundMailAccount | undefined> {
  const cache = context.services.caches.open(accountCache)
  const { own } =
    cache.get(shopId, context.now) ??
    (await cache.load(context, shopId, async () => {
      const credentials = await findCredentials(context, shopId, 'smtp')
      return { own: credentials && toAccount(credentials) }
    }))
  if (own) return { account: own, source: 'shop' }
  const { defaultMailAccount } = context.services
  return defaultMailAccount && { account: defaultMailAccount, source: 'installation' }
}

function toAccount(credentials: CredentialsOf<'smtp'>): MailAccount {
  const { host, port, security, username, password, from_name, from_address, reply_to } = credentials
  return {
    host,
    port,
    security,
    username: username ?? null,
    password: password ?? null,
    fromName: from_name,
    fromAddress: from_address,
    replyTo: reply_to ?? null,
  }
}
