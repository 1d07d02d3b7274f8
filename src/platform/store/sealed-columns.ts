/** A column whose values are encrypted. */
export interface SealedColumn {
  table: string
  column: string
  /** The primary key, with its types. */
  key: Readonly<Record<string, 'uuid' | 'text'>>
  /** Other columns that the purpose is made from. */
  with?: readonly string[]
  /** How it is stored; default: as bytes. */
  as?: 'base64'
  /** The purpose that a value is sealed for: no other opens it. */
  purpose(row: Readonly<Record<string, string | null>>): string
}

const ofShop = { shop_id: 'uuid' } as const
const endpoint = { table: 'webhook_endpoints', key: { shop_id: 'uuid', id: 'uuid' } } as const
const systemSecret = { table: 'shop_system_secrets', key: { shop_id: 'uuid', system: 'text' } } as const
const app = { table: 'shopware_apps', key: ofShop } as const

/**
 * Every encrypted column of the store, for the change of keys. The purposes are those of the areas that write the
 * columns; a test searches a whole store for encrypted values that are not listed, or that do not open with the purpose
 * that is stated here.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', column: 'sealed', key: { id: 'text' }, purpose: ({ id }) => `signing key ${id}` },
  {
    table: 'moved_signing_keys',
    column: 'sealed',
    key: { shop_id: 'uuid', id: 'text' },
    purpose: ({ shop_id, id }) => movedKeyPurpose(shop_id, id),
  },
  { ...endpoint, column: 'secret', purpose: webhookSecret },
  { ...endpoint, column: 'former_secret', purpose: webhookSecret },
  { ...endpoint, column: 'sealed_url', purpose: ({ shop_id, id }) => `${shop_id}:webhook-address:${id}` },
  { ...endpoint, column: 'headers', purpose: ({ shop_id, id }) => `${shop_id}:webhook-headers:${id}` },
  {
    table: 'integration_keys',
    column: 'sealed',
    key: { shop_id: 'uuid', provider: 'text' },
    purpose: ({ shop_id, provider }) => `${shop_id}:${provider}`,
  },
  {
    table: 'integration_keys',
    column: 'former_webhook_secret',
    key: { shop_id: 'uuid', provider: 'text' },
    purpose: ({ shop_id, provider }) => `${shop_id}:${provider}:former webhook secret`,
  },
  { ...systemSecret, column: 'sealed', purpose: ({ shop_id, system }) => `${shop_id}:${system}:webhooks` },
  { ...systemSecret, column: 'former_sealed', purpose: ({ shop_id, system }) => `${shop_id}:${system}:webhooks` },
  { table: 'shop_settings', column: 'inbound_secret', key: ofShop, purpose: inboundSecret },
  { table: 'shop_settings', column: 'former_inbound_secret', key: ofShop, purpose: inboundSecret },
  { ...app, column: 'app_secret', purpose: ({ shop_id }) => `${shop_id}:shopware:app` },
  {
    ...app,
    column: 'connection',
    with: ['shop_url'],
    purpose: ({ shop_id, shop_url }) => `${shop_id}:shopware:${shop_url}`,
  },
  { ...app, column: 'previous_secret', purpose: ({ shop_id }) => `${shop_id}:shopware:previous` },
  { ...app, column: 'pending_secret', purpose: ({ shop_id }) => `${shop_id}:shopware:pending` },
  { table: 'people', column: 'totp_secret', key: { id: 'uuid' }, purpose: ({ id }) => `totp of ${id}` },
  { table: 'team_mails', column: 'sealed', key: { id: 'uuid' }, purpose: ({ id }) => `team mail ${id}` },
  {
    table: 'idempotent_requests',
    column: 'body',
    key: { shop_id: 'uuid', key_id: 'text', idempotency_key: 'text' },
    as: 'base64',
    purpose: () => 'idempotent answer',
  },
]

export function nameOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`
}

export function movedKeyPurpose(shopId: string | null | undefined, id: string | null | undefined): string {
  return `${shopId}:signing key ${id}`
}

function webhookSecret({ shop_id, id }: Readonly<Record<string, string | null>>): string {
  return `${shop_id}:webhook:${id}`
}

function inboundSecret({ shop_id }: Readonly<Record<string, string | null>>): string {
  return `${shop_id}:inbound`
}
