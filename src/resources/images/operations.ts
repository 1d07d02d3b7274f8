import type { Context, ShopContext } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'
import { created, operation, ReplyWithHeaders, type Upload } from '../../foundation/operation.ts'
import { roleIn } from '../../foundation/roles.ts'
import { BytesReply } from '../../foundation/schema.ts'
import { imageUrl, isSignedAddress } from './address.ts'
import { isPrivate, shopIdIn } from './rules.ts'
import { ImageAddress, ImageKey, ImageType, ImageUpload, UploadedImage } from './schema.ts'
import { findImage, type ImageRow } from './store.ts'
import { storeImage } from './store-image.ts'

const uploadDescription =
  'Takes JPEG, PNG, WebP, GIF and AVIF. The image is turned upright, bounded to 4096 pixels a side and stripped of all metadata, such as the place where it was taken.'

export const uploadImage = operation({
  name: 'uploadImage',
  summary: 'Upload an image',
  description: uploadDescription,
  area: 'Images',
  route: 'POST /v1/shops/{slug}/images',
  needs: 'editor',
  body: ImageUpload,
  file: 'image',
  reply: UploadedImage,
  errors: ['image_media_unsupported'],
  callsOut: true,
  handle: (context, { body, upload }) => keepUpload(context, body.image_type, upload),
})

export const uploadImageOfType = operation({
  name: 'uploadImageOfType',
  summary: 'Upload an image of the type in the path',
  description: uploadDescription,
  area: 'Images',
  route: 'POST /v1/shops/{slug}/images/{image_type}',
  needs: 'editor',
  pathSchemas: { image_type: ImageType },
  file: 'image',
  reply: UploadedImage,
  errors: ['image_media_unsupported'],
  callsOut: true,
  handle: (context, { path, upload }) => keepUpload(context, path.image_type as ImageType, upload), // its schema let in only these
})

export const getImage = operation({
  name: 'getImage',
  summary: 'Read an uploaded image',
  description:
    'Claim and signature images are private: they need a key with any role in their shop, or a signed address that has not expired.',
  area: 'Images',
  route: 'GET /v1/images/{key}',
  needs: 'nobody',
  pathSchemas: { key: ImageKey },
  query: ImageAddress,
  reply: BytesReply,
  errors: ['image_not_found', 'invalid_merchant_or_key', 'rate_limited'],
  async handle(context, { path, query }) {
    const image = await findImage(context, shopIdIn(path.key), path.key)
    const access = image && accessTo(context, image, query)
    if (image === undefined || access === undefined) throw imageNotFound()
    const bytes = await context.services.imageStore.get(image.key)
    if (bytes === undefined) {
      context.log.error({ image: image.key }, 'the image store has no bytes for an image on record')
      throw imageNotFound()
    }
    return new ReplyWithHeaders(bytes, {
      'content-type': image.media_type,
      'content-disposition': 'inline',
      etag: `"${image.key}"`, // a key's bytes never change
      'cache-control': access === 'public' ? 'public, max-age=31536000, immutable' : 'private, max-age=300',
      // Shops and mails show these on pages of their own; what needs a key stays with this site.
      ...(access === 'key' ? {} : { 'cross-origin-resource-policy': 'cross-origin' }),
    })
  },
})

async function keepUpload(
  context: ShopContext,
  imageType: ImageType,
  upload: Upload | undefined,
): Promise<ReplyWithHeaders<UploadedImage>> {
  const { bytes } = upload as Upload // a form without the file is refused before
  const key = await storeImage(context, imageType, bytes)
  return created(`/v1/images/${key}`, {
    url: imageUrl(context, key),
    image_type: imageType,
    shop_slug: context.shop.slug,
  })
}

/** What lets the caller see the image, if anything does. */
function accessTo(context: Context, image: ImageRow, address: ImageAddress): 'public' | 'address' | 'key' | undefined {
  if (!isPrivate(image.image_type as ImageType)) return 'public' // written by storeImage only
  if (isSignedAddress(context, image.key, address)) return 'address'
  return roleIn(context.principal, image.shop_id) === undefined ? undefined : 'key'
}

function imageNotFound(): ApiError {
  return new ApiError('image_not_found', 'There is no such image, or it is private and this address does not open it.')
}
