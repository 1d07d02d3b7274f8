import type { Sharp } from 'sharp'
import type { Log } from '../../foundation/context.ts'
import { ApiError } from '../../foundation/errors.ts'

export interface NormalImage {
  bytes: Uint8Array
  mediaType: string
  extension: string
  width: number
  height: number
}

interface Output {
  mediaType: string
  extension: string
  canMove: boolean
  encode(image: Sharp): Sharp
}

const longestSide = 4_096

/** Of all frames together: more than the cameras of phones make, and at most a quarter of a gigabyte once decoded. */
const pixelLimit = 64_000_000
const timeLimitSeconds = 30

const webp: Output = {
  mediaType: 'image/webp',
  extension: 'webp',
  canMove: true,
  encode: (image) => image.webp({ quality: 90 }),
}

/** What an image becomes, by what the library found it to be. */
const outputs: Partial<Record<string, Output>> = {
  jpeg: {
    mediaType: 'image/jpeg',
    extension: 'jpg',
    canMove: false,
    encode: (image) => image.jpeg({ quality: 88 }),
  },
  png: { mediaType: 'image/png', extension: 'png', canMove: false, encode: (image) => image.png() },
  gif: { mediaType: 'image/gif', extension: 'gif', canMove: true, encode: (image) => image.gif() },
  webp,
  // AVIF: writing it took 25 s and more for 16 million pixels where WebP took 5 s.
  heif: { ...webp, canMove: false },
}

/**
 * Decodes an upload and encodes it anew: upright, within the largest size, and with nothing of the original file but
 * its pixels, so without the place and the device it was taken with. What it is, only its content decides.
 */
export async function normalizeImage(bytes: Uint8Array, log: Log): Promise<NormalImage> {
  const sharp = await loadSharp()
  // Stricter than `error` would refuse photographs of some phones that every browser shows.
  const options = { failOn: 'error', limitInputPixels: pixelLimit } as const
  try {
    const found = await sharp(bytes, options).metadata()
    const output = outputs[found.format]
    if (output === undefined || (found.format === 'gif' && !hasGifTrailer(bytes))) throw unsupported()
    const isMoving = output.canMove && (found.pages ?? 1) > 1
    const image = sharp(bytes, { ...options, animated: isMoving })
    const upright = isMoving ? image : image.autoOrient() // frames of an animation cannot be turned
    const { data, info } = await output
      .encode(upright.resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true }))
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

/** The library shows what there is of a cut-off animation; a whole one ends with this byte. */
function hasGifTrailer(bytes: Uint8Array): boolean {
  return bytes.findLast((byte) => byte !== 0x00 && byte !== 0x0a && byte !== 0x0d) === 0x3b
}

type SharpFactory = typeof import('sharp')['default']

let loading: Promise<SharpFactory> | undefined

/** Loaded at the first upload, with only the decoders that are wanted: no other one ever sees a stranger's bytes. */
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
