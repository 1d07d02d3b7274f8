import type { ShopContext } from '../../foundation/operation.ts'
import { normalizeImage } from './normalize-image.ts'
import { makeImageKey } from './rules.ts'
import type { ImageType } from './schema.ts'
import { insertImage } from './store.ts'

/**
 * Keeps an uploaded image of the shop, cleaned, and answers its key; until then only, where an end is given. Not for
 * inside a transaction: it may call out.
 */
export async function keepImage(
  context: ShopContext,
  imageType: ImageType,
  bytes: Uint8Array,
  expiresAt: Date | null = null,
): Promise<string> {
  const image = await normalizeImage(bytes, context.log)
  const { imageStore } = context.services
  const key = makeImageKey(imageType, context.shop.id, image.extension)
  // The bytes first: a row without them would be an image that answers nothing.
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
      expires_at: expiresAt,
    })
  } catch (error) {
    await imageStore.delete(key)
    throw error
  }
  return key
}
