import { openAddress, type StoredAddress, sealAddress, standInFor } from '../../delivery/queue/sealed-address.ts'
import { sealsAddresses } from '../../delivery/queue/sealed-address-store.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { EndpointRow } from './store.ts'

export function addressOf(
  context: Pick<ShopContext, 'services'>,
  { shop_id: shopId, id, url, sealed_url: sealedUrl }: Pick<EndpointRow, 'shop_id' | 'id' | keyof StoredAddress>,
): string {
  return openAddress(context, { shopId, id, url, sealedUrl })
}

/** An address as it is stored now: sealed, unless nodes of the version before still have to read it. */
export async function toStoredAddress(context: ShopContext, id: string, url: string): Promise<StoredAddress> {
  const isSealed = await sealsAddresses(context)
  return isSealed ? sealAddress(context, { shopId: context.shop.id, id }, url) : { url, sealed_url: null }
}

/** How the columns of a sealed address differ in this installation: what stands for one is made with a key of the installation. */
export async function addressesHere(
  context: Context,
  shopId: string,
): Promise<(address: string) => Partial<StoredAddress>> {
  const isSealed = await sealsAddresses(context)
  return (url) => (isSealed ? { url: standInFor(context, shopId, url) } : { url, sealed_url: null })
}
