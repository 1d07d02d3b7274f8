// @ts-check
// Decodes one image at a time, in a process of its own: what a hostile one costs is lost with it. Plain JavaScript, so that
// Node runs it as it is in every build. It reads a length in four bytes and an image, and writes a line of JSON and an image.
import { setPriority } from 'node:os'

/** @typedef {import('./decoder-process.ts').DecoderReply} DecoderReply */

const [memoryLimitBytes = 0, cpuLimitMs = 0] = process.argv.slice(2).map(Number)

/** How often the memory is checked: a decoder fills 20 MB in that time. */
const checkMs = 10

const maxSide = 4_096

/** Encoding more as WebP takes over 400 MB. */
const maxWebpPixels = 12_600_000

/** For all frames together. Phone cameras stay below it. */
const maxPixels = 64_000_000

/** The service has the whole result in memory while it stores it. */
const maxResultBytes = 24_000_000

/** Each scan of a progressive JPEG goes over the whole image; encoders write about ten. */
const maxScans = 100

/** A frame costs this much even if it is smaller. */
const minFrameBytes = 64_000

/**
 * How many bytes an image may decode to, all frames together: more would take over 400 MB of memory, or many seconds. The
 * figures are those of `npm run bench:photos`. A photo of 48 megapixels has 146 MB.
 * @type {Record<string, number>}
 */
const maxDecodedBytes = {
  JPEG: 200_000_000,
  'progressive JPEG': 200_000_000,
  'CMYK JPEG': 100_000_000,
  PNG: 256_000_000,
  GIF: 64_000_000,
  WebP: 192_000_000,
  AVIF: 48_000_000,
  animation: 128_000_000,
}

/** @type {Record<string, string>} */
const names = { jpeg: 'JPEG', png: 'PNG', gif: 'GIF', webp: 'WebP', heif: 'AVIF' }

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
// The service has ended, or ends this process. A decoder that runs would delay an ordinary exit.
process.stdin.on('end', end)
try {
  setPriority(10) // requests come first
} catch {
  // Not allowed here.
}

let isDecoding = false
/** Processor time, of which a busy machine gives less per second. */
let cpuAtStart = process.cpuUsage()
setInterval(() => {
  if (!isDecoding) return
  const { user, system } = process.cpuUsage(cpuAtStart)
  const isSlow = (user + system) / 1_000 > cpuLimitMs
  if (!isSlow && process.memoryUsage.rss() < memoryLimitBytes) return
  isDecoding = false
  write({ refused: isSlow ? 'time' : 'memory' }, undefined, end)
}, checkMs)

const loading = import('sharp').then(({ default: sharp }) => {
  sharp.concurrency(1)
  sharp.cache(false)
  // Only the decoders that are needed for untrusted bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  })
  return sharp
})
loading.catch(() => {}) // reported with the first image

/** @type {Buffer | undefined} */
let image
/** @type {Buffer} */
let start = Buffer.alloc(0)
let received = 0

process.stdin.on('data', (/** @type {Buffer} */ chunk) => {
  let rest = chunk
  if (image === undefined) {
    start = Buffer.concat([start, chunk])
    if (start.length < 4) return
    image = Buffer.allocUnsafe(start.readUInt32BE())
    rest = start.subarray(4)
  }
  received += rest.copy(image, received)
  if (received < image.length) return
  const complete = image
  image = undefined
  start = Buffer.alloc(0)
  received = 0
  void reply(complete)
})

/** @param {Buffer} bytes */
async function reply(bytes) {
  try {
    const { header, data } = await normalize(bytes)
    write(header, data)
  } catch (error) {
    write({ failed: String(error) })
  } finally {
    isDecoding = false
  }
}

/**
 * @param {Buffer} bytes
 * @returns {Promise<{ header: DecoderReply, data?: Buffer }>}
 */
async function normalize(bytes) {
  const sharp = await loading
  isDecoding = true
  cpuAtStart = process.cpuUsage()
  // Anything stricter than `error` rejects photos of some phones that every browser shows.
  const options = /** @type {const} */ ({ failOn: 'error', limitInputPixels: maxPixels })
  try {
    const found = await sharp(bytes, options).metadata()
    const isGif = found.format === 'gif'
    if (names[found.format] === undefined || (isGif && !hasGifTrailer(bytes)))
      return { header: { refused: 'unreadable' } }
    const tooCostly = tooCostlyOf(found, bytes)
    if (tooCostly) return { header: tooCostly }
    const isAnimated = framesOf(found) > 1
    const decoded = sharp(bytes, { ...options, animated: isAnimated })
    const upright = isAnimated ? decoded : decoded.autoOrient() // frames of an animation cannot be rotated
    const isWebp = found.format === 'webp' || found.format === 'heif'
    const resized = upright.resize({ ...sizeOf(found, isWebp), fit: 'inside', withoutEnlargement: true })
    const { data, info } = await encode(resized, found.format).toBuffer({ resolveWithObject: true })
    if (data.length > maxResultBytes) return { header: { refused: 'too_large', maxBytes: maxResultBytes } }
    const [mediaType, extension] = typeOf(found.format)
    const { width, height, pageHeight = height } = info
    return { header: { mediaType, extension, width, height: pageHeight, bytes: data.length }, data }
  } catch (error) {
    if (/pixel limit/.test(String(error))) return { header: { refused: 'too_many_pixels', maxPixels } }
    return { header: { refused: 'unreadable', error: String(error) } }
  }
}

/**
 * Why an image is not decoded, by what its header says.
 * @param {import('sharp').Metadata} found @param {Buffer} bytes
 * @returns {DecoderReply | undefined}
 */
function tooCostlyOf(found, bytes) {
  const { width, height, isProgressive } = found
  const frames = framesOf(found)
  if (width * height * frames > maxPixels) return { refused: 'too_many_pixels', maxPixels }
  const isProgressiveJpeg = found.format === 'jpeg' && isProgressive
  if (isProgressiveJpeg && countScans(bytes) > maxScans) return { refused: 'too_many_scans', maxScans }
  const kind = kindOf(found, frames)
  const frameBytes = width * height * bytesPerPixel(found)
  const decodedBytes = frames > 1 ? frames * Math.max(frameBytes, minFrameBytes) : frameBytes
  const maxBytes = maxDecodedBytes[kind] ?? 0
  return decodedBytes > maxBytes ? { refused: 'too_costly', kind, decodedBytes, maxBytes } : undefined
}

/** @param {import('sharp').Metadata} found @param {number} frames */
function kindOf({ format, space, isProgressive }, frames) {
  if (frames > 1) return 'animation'
  if (format === 'jpeg' && space === 'cmyk') return 'CMYK JPEG'
  if (format === 'jpeg' && isProgressive) return 'progressive JPEG'
  return names[format] ?? ''
}

/** Bands times depth. Of a progressive JPEG all coefficients are kept, two bytes each. @param {import('sharp').Metadata} found */
function bytesPerPixel({ format, channels, depth, isProgressive, chromaSubsampling }) {
  if (format !== 'jpeg' || !isProgressive) return channels * (depth === 'uchar' ? 1 : 2)
  return 2 * (chromaSubsampling === '4:2:0' ? 1.5 : channels)
}

/** @param {import('sharp').Metadata} found */
function framesOf({ format, pages = 1 }) {
  return format === 'gif' || format === 'webp' ? pages : 1
}

/** @param {Buffer} bytes */
function countScans(bytes) {
  let count = 0
  const startOfScan = Buffer.from([0xff, 0xda])
  for (let at = bytes.indexOf(startOfScan); at !== -1 && count <= maxScans; at = bytes.indexOf(startOfScan, at + 2)) {
    count += 1
  }
  return count
}

/** @param {import('sharp').Metadata} found @param {boolean} isWebp */
function sizeOf({ width, height }, isWebp) {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const pixels = width * height * scale * scale
  const side = isWebp && pixels > maxWebpPixels ? Math.floor(maxSide * Math.sqrt(maxWebpPixels / pixels)) : maxSide
  return { width: side, height: side }
}

/**
 * AVIF is stored as WebP: encoding 16 million pixels took over 25 s as AVIF and 5 s as WebP.
 * @param {import('sharp').Sharp} decoded @param {string} format
 */
function encode(decoded, format) {
  if (format === 'jpeg') return decoded.jpeg({ quality: 88 })
  if (format === 'png') return decoded.png()
  return format === 'gif' ? decoded.gif() : decoded.webp({ quality: 90 })
}

/** @param {string} format */
function typeOf(format) {
  if (format === 'jpeg') return /** @type {const} */ (['image/jpeg', 'jpg'])
  const name = format === 'heif' ? 'webp' : format
  return /** @type {const} */ ([`image/${name}`, name])
}

/** The library accepts a truncated animation; a complete one ends with this byte. @param {Buffer} bytes */
function hasGifTrailer(bytes) {
  return bytes.findLast((byte) => byte !== 0x00 && byte !== 0x0a && byte !== 0x0d) === 0x3b
}

/** @param {DecoderReply} header @param {Buffer} [data] @param {() => void} [onWritten] */
function write(header, data, onWritten) {
  process.stdout.write(`${JSON.stringify({ ...header, rssBytes: process.memoryUsage.rss() })}\n`, onWritten)
  if (data) process.stdout.write(data)
}

function end() {
  process.kill(process.pid, 'SIGKILL')
}
