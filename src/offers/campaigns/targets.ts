import { sha256 } from '../../platform/foundation/crypto.ts'
import type { Campaign } from './schema.ts'

/** A counted link names its target by a digest, so that it redirects only to the campaign's own targets. */
export function targetName(target: string): string {
  return sha256(target).toString('hex').slice(0, 16)
}

/** All targets of a campaign's links. */
export function targetsOf({ promotion_properties: properties }: Campaign): string[] {
  const products = 'products' in properties ? properties.products.map(({ product_url }) => product_url) : []
  return [properties.cta_url, ...products].filter((target) => typeof target === 'string')
}
