import type { Sharp } from 'sharp'
import type { Log } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'

export interface NormalizedImage {
  bytes: Uint8Array
  mediaType: string
  extension: string
  width: number
  height: number
}

interface Output {
  mediaType: string
  extension: string
  canAnimate: boolean
  encode(image: Sharp): Sharp
}

const maxSide = 4_096

/** For all frames together. Phone cameras stay below it, and a decoded image takes at most 256 MB. */
const pixelLimit = 64_000_000
const timeLimitSeconds = 30

const webp: Output = {
  mediaType: 'image/webp',
  extension: 'webp',
  canAnimate: true,
  encode: (image) => image.webp({ quality: 90 }),
}

/** The output format by detected input format. */
const outputs: Partial<Record<string, Output>> = {
  jpeg: {
    mediaType: 'image/jpeg',
    extension: 'jpg',
    canAnimate: false,
    encode: (image) => image.jpeg({ quality: 88 }),
  },
  png: { mediaType: 'image/png', extension: 'png', canAnimate: false, encode: (image) => image.png() },
  gif: { mediaType: 'image/gif', extension: 'gif', canAnimate: true, encode: (image) => image.gif() },
  webp,
  // AVIF is stored as WebP: encoding 16 million pixels took over 25 s as AVIF and 5 s as WebP.
  heif: { ...webp, canAnimate: false },
}

/**
 * Decodes an upload and encodes it again: upright, within the size limit, and without metadata such as the location or
 * the device. The format is detected from the content only.
 */
export async function normalizeImage(bytes: Uint8Array, log: Log): Promise<NormalizedImage> {
  const sharp = await loadSharp()
  // Anything stricter than `error` rejects photos of some phones that every browser shows.
  const options = { failOn: 'error', limitInputPixels: pixelLimit } as const
  try {
    const found = await sharp(bytes, options).metadata()
    const output = outputs[found.format]
    if (output === undefined || (found.format === 'gif' && !hasGifTrailer(bytes))) throw unsupported()
    const isAnimated = output.canAnimate && (found.pages ?? 1) > 1
    const image = sharp(bytes, { ...options, animated: isAnimated })
    const upright = isAnimated ? image : image.autoOrient() // frames of an animation cannot be rotated
    const { data, info } = await output
      .encode(upright.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }))
      .timeout({ seconds: timeLimitSeconds })
      .toBuffer({ resolveWithObject: true })
    return {
      bytes: data,
      mediaType: output.mediaType,
      extension: output.extension,
      width: info.width,
      height: info.pageHeight ?? info.height,
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.info({ err: error }, 'an uploaded image could not be read')
    throw unsupported(/pixel limit/.test(String(error)) ? tooManyPixels : undefined)
  }
}

const tooManyPixels = `The image has more than ${pixelLimit / 1_000_000} million pixels. Send a smaller one.`

function unsupported(message = 'Send a complete JPEG, PNG, WebP, GIF or AVIF image.'): ApiError {
  return new ApiError('image_media_unsupported', message)
}

/** The library accepts a truncated animation; a complete one ends with this byte. */
function hasGifTrailer(bytes: Uint8Array): boolean {
  return bytes.findLast((byte) => byte !== 0x00 && byte !== 0x0a && byte !== 0x0d) === 0x3b
}

type SharpFactory = typeof import('sharp')['default']

let loading: Promise<SharpFactory> | undefined

/** Loads sharp at the first upload, and allows only the decoders that are needed for untrusted bytes. */
function loadSharp(): Promise<SharpFactory> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
    })
    return sharp
  })
  return loading
}
