import type { ShopContext } from '../../platform/foundation/context.ts'
import { normalizeImage } from './normalize-image.ts'
import { createImageKey } from './rules.ts'
import type { ImageType } from './schema.ts'
import { insertImage } from './store.ts'

/**
 * Normalizes and stores an uploaded image, and returns its key. An upload for a claim form is pending: it expires unless
 * the form is submitted, and is erased with the order's customer. Not for use inside a transaction: it may use the network.
 */
export async function storeImage(
  context: ShopContext,
  imageType: ImageType,
  read: () => Promise<Uint8Array>,
  pending: { orderId: string; until: Date } | undefined = undefined,
): Promise<string> {
  const image = await normalizeImage(context, read)
  const { imageStore } = context.services
  const key = createImageKey(imageType, context.shop.id, image.extension)
  // The bytes first: a row without them would be a broken image.
  await imageStore.put(key, image.bytes, image.mediaType)
  try {
    await insertImage(context, {
      shop_id: context.shop.id,
      key,
      image_type: imageType,
      media_type: image.mediaType,
      size_bytes: image.bytes.byteLength,
      width: image.width,
      height: image.height,
      created_at: context.now,
      expires_at: pending?.until ?? null,
      order_id: pending?.orderId ?? null,
    })
  } catch (error) {
    await imageStore.delete(key)
    throw error
  }
  return key
}
