import { wideNetworkOf } from '../../platform/foundation/client-network.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError, rateLimited } from '../../platform/foundation/errors.ts'
import { NotRun, type QueuedCaller } from '../../platform/foundation/fair-queue.ts'
import type { Refused } from './decoder-process.ts'

export interface NormalizedImage {
  bytes: Uint8Array
  mediaType: string
  extension: string
  width: number
  height: number
}

export const imageRetrySeconds = 10

/**
 * Decodes an upload and encodes it again: upright, within the size limit, and without metadata such as the location or
 * the device. The format is detected from the content only.
 */
export async function normalizeImage(context: ShopContext, read: () => Promise<Uint8Array>): Promise<NormalizedImage> {
  const { reply, data } = await context.services.imageDecoder.decode(read, callerOf(context)).catch((error) => {
    throw error instanceof NotRun ? tooManyAtOnce() : error
  })
  if ('failed' in reply) throw new Error(`the decoder of images failed: ${reply.failed}`)
  if ('refused' in reply) {
    context.log.info(reply, 'an uploaded image was rejected')
    throw reply.refused === 'unreadable' ? unsupported() : new ImageTooCostly(reply)
  }
  const { mediaType, extension, width, height } = reply
  return { bytes: data, mediaType, extension, width, height }
}

/** The queue alternates between shops for callers with a key or a session, in places of their own; else by network. */
function callerOf({ principal, client, shop }: ShopContext): QueuedCaller {
  const network = wideNetworkOf(client?.address ?? '')
  const isKnown = principal.kind !== 'nobody'
  return {
    group: isKnown ? [shop.id, network] : [network, shop.id],
    isKnown,
    whenGone: client && ((act) => client.whenGone(act)),
  }
}

/** The image may be fine, but decoding it would cost too much. */
export class ImageTooCostly extends ApiError {
  constructor(reason: Exclude<Refused, { refused: 'unreadable' }>) {
    super('image_media_unsupported', `${textOf(reason)} Send a smaller one.`)
  }
}

function textOf(reason: Exclude<Refused, { refused: 'unreadable' }>): string {
  switch (reason.refused) {
    case 'too_many_pixels':
      return `The image has more than ${reason.maxPixels / 1_000_000} million pixels.`
    case 'too_many_scans':
      return `The image is a progressive JPEG with more than ${reason.maxScans} scans.`
    case 'too_costly':
      return `Decoding the image would take ${megabytes(reason.decodedBytes)} MB: its width, height, channels, depth and frames multiplied. Of this kind (${reason.kind}), ${megabytes(reason.maxBytes)} MB are the limit.`
    case 'too_large':
      return `The stored image would have more than ${megabytes(reason.maxBytes)} MB.`
    case 'memory':
      return 'Decoding the image takes too much memory.'
    case 'time':
      return 'Decoding the image takes too long.'
    case 'crash':
      return 'The image could not be decoded.'
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000)
}

function unsupported(): ApiError {
  return new ApiError('image_media_unsupported', 'Send a complete JPEG, PNG, WebP, GIF or AVIF image.')
}

function tooManyAtOnce(): ApiError {
  return rateLimited('Too many images arrive at once.', imageRetrySeconds)
}
