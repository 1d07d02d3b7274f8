import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { created, operation, ReplyWithHeaders, type Upload } from '../../platform/foundation/operation.ts'
import { roleIn } from '../../platform/foundation/roles.ts'
import { BytesReply } from '../../platform/foundation/schema.ts'
import { imageUrl, isSignedAddress } from './address.ts'
import { isPrivate, shopIdIn } from './rules.ts'
import { ImageAddress, ImageKey, ImageType, ImageUpload, UploadedImage } from './schema.ts'
import { findImage, type ImageRow } from './store.ts'
import { storeImage } from './store-image.ts'

const uploadDescription =
  'Accepts JPEG, PNG, WebP, GIF and AVIF. The image is rotated upright, limited to 4096 pixels per side, and stripped of all metadata, such as the location where it was taken; WebP and AVIF to 12.6 megapixels as well. One that would take too much memory or time to decode is rejected, with the reason.'

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
  audit: { none: 'An image changes nothing until a record refers to it.' },
  handle: (context, { body, upload }) => storeUpload(context, body.image_type, upload),
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
  audit: { none: 'An image changes nothing until a record refers to it.' },
  handle: (context, { path, upload }) => storeUpload(context, path.image_type as ImageType, upload), // its schema allows only these
})

export const getImage = operation({
  name: 'getImage',
  summary: 'Get an uploaded image',
  description:
    'Claim and signature images are private: they require an API key with any role in their shop, or a signed URL that has not expired.',
  area: 'Images',
  route: 'GET /v1/images/{key}',
  needs: 'nobody',
  pathSchemas: { key: ImageKey },
  query: ImageAddress,
  reply: BytesReply('image/*'),
  errors: ['image_not_found', 'invalid_merchant_or_key', 'rate_limited'],
  async handle(context, { path, query }) {
    const image = await findImage(context, shopIdIn(path.key), path.key)
    const access = image && accessTo(context, image, query)
    if (image === undefined || access === undefined) throw imageNotFound()
    const bytes = await context.services.imageStore.get(image.key)
    if (bytes === undefined) {
      context.log.error({ image: image.key }, 'the image store has no bytes for a recorded image')
      throw imageNotFound()
    }
    return new ReplyWithHeaders(bytes, {
      'content-type': image.media_type,
      'content-disposition': 'inline',
      etag: `"${image.key}"`, // a key's bytes never change
      'cache-control': access === 'public' ? 'public, max-age=31536000, immutable' : 'private, max-age=300',
      // Shops and e-mails embed these images; an image that needs a key is for this site only.
      ...(access === 'key' ? {} : { 'cross-origin-resource-policy': 'cross-origin' }),
    })
  },
})

async function storeUpload(
  context: ShopContext,
  imageType: ImageType,
  upload: Upload | undefined,
): Promise<ReplyWithHeaders<UploadedImage>> {
  const { bytes } = upload as Upload // a form without the file is rejected before
  const key = await storeImage(context, imageType, async () => bytes)
  return created(`/v1/images/${key}`, {
    url: imageUrl(context, key),
    image_type: imageType,
    shop_slug: context.shop.slug,
  })
}

/** The reason why the caller may see the image; undefined if they may not. */
function accessTo(context: Context, image: ImageRow, address: ImageAddress): 'public' | 'address' | 'key' | undefined {
  if (!isPrivate(image.image_type as ImageType)) return 'public' // written by storeImage only
  if (isSignedAddress(context, image.key, address)) return 'address'
  return roleIn(context.principal, image.shop_id) === undefined ? undefined : 'key'
}

function imageNotFound(): ApiError {
  return new ApiError(
    'image_not_found',
    'There is no such image, or it is private and this URL does not give access to it.',
  )
}
