import { readFileSync } from 'node:fs'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { imageUrl } from '../../shops/images/address.ts'
import { createImageKey } from '../../shops/images/rules.ts'
import { insertImage } from '../../shops/images/store.ts'
import { type Line, productNames } from './products.ts'

/** The photos that customers took for their claims. */
const claimPhotos = ['claim-box', 'claim-sleeve', 'claim-seam', 'claim-size'] as const
export type ClaimPhoto = (typeof claimPhotos)[number]

/** The logo, the product pictures and the photos of claims: drawn by bin/draw-demo-pictures.ts, and stored like uploaded ones. */
export interface Pictures {
  logoUrl: string
  urlOf(product: Line['product']): string
  photoUrl(photo: ClaimPhoto): string
  /** Stores the bytes. After the transaction: an image store may be on the network. */
  store(): Promise<void>
}

const side = 480
const logo = { name: 'logo', type: 'logo', extension: 'png', mediaType: 'image/png', width: 620, height: 160 } as const
const picture = { type: 'product', extension: 'webp', mediaType: 'image/webp', width: side, height: side } as const
const photo = { type: 'claim', extension: 'webp', mediaType: 'image/webp', width: 720, height: 540 } as const

export async function hangPictures(context: ShopContext): Promise<Pictures> {
  const keys = new Map<string, string>()
  const stored: { key: string; bytes: Buffer; mediaType: string }[] = []
  const products = productNames.map((name) => ({ ...picture, name }))
  for (const drawn of [logo, ...products, ...claimPhotos.map((name) => ({ ...photo, name }))]) {
    const key = createImageKey(drawn.type, context.shop.id, drawn.extension)
    const bytes = readFileSync(new URL(`pictures/${drawn.name}.${drawn.extension}`, import.meta.url))
    await insertImage(context, {
      shop_id: context.shop.id,
      key,
      image_type: drawn.type,
      media_type: drawn.mediaType,
      size_bytes: bytes.byteLength,
      width: drawn.width,
      height: drawn.height,
      created_at: context.now,
      expires_at: null,
      order_id: null,
    })
    keys.set(drawn.name, key)
    stored.push({ key, bytes, mediaType: drawn.mediaType })
  }
  const { imageStore } = context.services
  return {
    logoUrl: imageUrl(context, keys.get(logo.name) ?? ''),
    urlOf: (product) => imageUrl(context, keys.get(product) ?? ''),
    photoUrl: (name) => imageUrl(context, keys.get(name) ?? ''),
    async store() {
      await Promise.all(stored.map(({ key, bytes, mediaType }) => imageStore.put(key, bytes, mediaType)))
    },
  }
}
