import type { Context } from '../../platform/foundation/context.ts'

/** A header that an endpoint's requests have besides ours. Its value is a secret, such as a key of the receiver. */
export interface CustomHeader {
  name: string
  value: string
}

interface SealedEndpoint {
  shopId: string
  id: string
  headers: Buffer | null
}

/** Null if there are none. */
export function sealHeaders(
  { services }: Pick<Context, 'services'>,
  { shopId, id }: Omit<SealedEndpoint, 'headers'>,
  headers: CustomHeader[],
): Buffer | null {
  return headers.length === 0 ? null : services.vault.seal(JSON.stringify(headers), headersPurpose(shopId, id))
}

export function openHeaders({ services }: Pick<Context, 'services'>, endpoint: SealedEndpoint): CustomHeader[] {
  const { shopId, id, headers } = endpoint
  if (headers === null) return []
  return JSON.parse(services.vault.open(headers, headersPurpose(shopId, id))) as CustomHeader[] // sealed above
}

export function toHeaderRecord(headers: CustomHeader[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]))
}

/** The purpose that they are sealed for; no other opens them. */
function headersPurpose(shopId: string, endpointId: string): string {
  return `${shopId}:webhook-headers:${endpointId}`
}
