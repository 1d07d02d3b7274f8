import type { MailSecurity } from '../../mail/account.ts'
import type { MaskedKeys, Provider } from './schema.ts'

/** Shows the end of a secret so that its owner recognises it: four characters, but never more than a quarter. */
export function mask(secret: string): string {
  // By code point: half a surrogate pair cannot be stored.
  const characters = [...secret]
  const shown = Math.min(4, Math.floor(characters.length / 4))
  return `****${characters.slice(characters.length - shown).join('')}`
}

/** Masks the fields of the credentials; one without a value is null. */
export function maskAll(provider: Provider, credentials: object): Record<string, string | null> {
  const isShown = (name: string) => provider === 'smtp' && !['username', 'password'].includes(name)
  const fields = Object.entries(credentials).map(([name, value]) => {
    if (isShown(name)) return [name, value === null ? null : String(value)]
    return [name, typeof value === 'string' ? mask(value) : null]
  })
  return Object.fromEntries(fields)
}

type MaskedFields = Record<string, string | null> | undefined

export function toMaskedKeys(masked: ReadonlyMap<string, MaskedFields>): MaskedKeys {
  const field = (provider: string, name: string) => masked.get(provider)?.[name] ?? null
  const client = (provider: string) => ({
    client_id: field(provider, 'client_id'),
    client_secret: field(provider, 'client_secret'),
  })
  const pushing = (provider: string) => ({
    api_key: field(provider, 'api_key'),
    webhook_secret: field(provider, 'webhook_secret'),
  })
  return {
    klaviyo: field('klaviyo', 'api_key'),
    brevo: field('brevo', 'api_key'),
    braze: field('braze', 'api_key'),
    hubspot: field('hubspot', 'api_key'),
    shopify: field('shopify', 'api_key'),
    emarsys: client('emarsys'),
    shopware: client('shopware'),
    inxmail: { username: field('inxmail', 'username'), password: field('inxmail', 'password') },
    aftership: pushing('aftership'),
    dhl: field('dhl', 'api_key'),
    ups: client('ups'),
    fedex: client('fedex'),
    easypost: pushing('easypost'),
    ...(masked.has('woocommerce')
      ? {
          woocommerce: {
            store_url: field('woocommerce', 'store_url'),
            consumer_key: field('woocommerce', 'consumer_key'),
            consumer_secret: field('woocommerce', 'consumer_secret'),
          },
        }
      : {}),
    ...(masked.has('smtp')
      ? {
          smtp: {
            host: field('smtp', 'host') ?? '',
            port: Number(field('smtp', 'port')),
            security: field('smtp', 'security') as MailSecurity, // its schema allows only these
            username: field('smtp', 'username'),
            password: field('smtp', 'password'),
            from_name: field('smtp', 'from_name') ?? '',
            from_address: field('smtp', 'from_address') ?? '',
            reply_to: field('smtp', 'reply_to'),
          },
        }
      : {}),
  }
}
