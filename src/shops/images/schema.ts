import { Named, OneOf, type Static, Type } from '../../platform/foundation/schema.ts'

const imageTypes = ['background', 'claim', 'logo', 'signature', 'product', 'voucher'] as const

export const ImageType = OneOf(imageTypes, {
  description: 'The purpose of the image; claim and signature images are private',
  examples: ['logo'],
})
export type ImageType = Static<typeof ImageType>

/** The fields beside the file. */
export const ImageUpload = Named('ImageUpload', Type.Object({ image_type: ImageType }))

const exampleKey = 'logo-AZLzxHsefMCdOi9vehtMXQ-h2Xk9QvT4bLw8ZrN1cYd6MfS.png'

export const UploadedImage = Named(
  'UploadedImage',
  Type.Object({
    url: Type.String({ format: 'uri', examples: [`https://doorstep.example/v1/images/${exampleKey}`] }),
    image_type: ImageType,
    shop_slug: Type.String({ examples: ['river-and-pine'] }),
  }),
)
export type UploadedImage = Static<typeof UploadedImage>

/** Matches what `createImageKey` writes; excludes path separators and leading dots. */
export const imageKeyPattern = `^(${imageTypes.join('|')})-[A-Za-z0-9_-]{22}-[A-Za-z0-9]{24}\\.(jpg|png|webp|gif)$`

const keyPattern = new RegExp(imageKeyPattern)

export function isImageKey(text: string): boolean {
  return keyPattern.test(text)
}

export const ImageKey = Type.String({
  pattern: imageKeyPattern,
  examples: [exampleKey],
})

/** The query parameters of the signed URL of a private image. */
export const ImageAddress = Type.Object({
  expires: Type.Optional(Type.Integer({ minimum: 0, description: 'When the signed URL expires, in Unix seconds' })),
  signature: Type.Optional(Type.String({ maxLength: 128, description: 'The signature of a signed URL' })),
})
export type ImageAddress = Static<typeof ImageAddress>
