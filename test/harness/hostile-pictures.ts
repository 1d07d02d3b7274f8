import { once } from 'node:events'
import { crc32, createDeflate } from 'node:zlib'
import sharp from 'sharp'

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({
    create: { width, height, channels, background: { r: 9, g: 90, b: 40, alpha: 0.5 } },
    limitInputPixels: false,
  })

/** Pictures of few bytes that cost much to decode, by what they are. */
export const hostilePictures = {
  'an interlaced 16-bit PNG': () => interlacedPng(8_000, 7_990),
  'a progressive JPEG with all of its colours': () =>
    plain(8_000, 6_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'a progressive JPEG of many scans': manyScans,
  'a CMYK JPEG': () => claimingSize(plain(64, 64).toColourspace('cmyk').jpeg().toBuffer(), 6_500, 6_000),
  'a large GIF': () => plain(6_000, 5_000).gif({ effort: 1 }).toBuffer(),
  'a GIF of many frames': async () => manyFrames(20_000),
  'a WebP of large frames': () => animation(2_200, 10).then((joined) => joined.webp({ effort: 0 }).toBuffer()),
  'a large WebP': () => plain(8_000, 7_000, 4).webp({ effort: 0 }).toBuffer(),
  'a large AVIF': () => plain(6_000, 4_000).avif({ effort: 0 }).toBuffer(),
} as const

/** As cameras of 48 megapixels take them, and what else is large but accepted. */
export const largePictures = {
  'a photo of 48 megapixels': () => photograph().jpeg({ quality: 80 }).toBuffer(),
  'one that lies on its side': () => photograph().withMetadata({ orientation: 6 }).jpeg({ quality: 80 }).toBuffer(),
  'a progressive one': () => photograph().jpeg({ quality: 80, progressive: true }).toBuffer(),
  'an interlaced PNG of 48 megapixels': () => plain(8_064, 6_048).png({ progressive: true }).toBuffer(),
} as const

/** A picture with the detail of a photo. */
function photograph() {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
  const small = sharp({ create: { width: 2_016, height: 1_512, channels: 3, background: '#888', noise } })
  return small.resize(8_064, 6_048)
}

async function animation(side: number, frames: number) {
  const colours = Array.from({ length: frames }, (_, index) => ({ r: index * 20, g: 99, b: 200 - index * 10 }))
  const pictures = colours.map((background) =>
    sharp({ create: { width: side, height: side, channels: 3, background } })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  )
  return sharp(await Promise.all(pictures), { join: { animated: true } })
}

/** A JPEG whose header names another size. */
async function claimingSize(made: Promise<Buffer>, width: number, height: number): Promise<Buffer> {
  const jpeg = await made
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, frame + 5)
  jpeg.writeUInt16BE(width, frame + 7)
  return jpeg
}

/** A small progressive JPEG whose last scan is repeated: each goes over the whole picture. */
async function manyScans(): Promise<Buffer> {
  const jpeg = await plain(640, 480).jpeg({ progressive: true }).toBuffer()
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(2_000).fill(scan), jpeg.subarray(-2)])
}

/** Frames of one pixel. */
function manyFrames(count: number): Buffer {
  const head = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([head, ...Array<Buffer>(count).fill(frame), Buffer.from([0x3b])])
}

/** Transparent black in seven passes: 500 KB for half a gigabyte of pixels. */
async function interlacedPng(width: number, height: number): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([16, 6, 0, 0, 1], 8)
  const pixels = await deflateZeros(interlacedBytes(width, height, 8))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function interlacedBytes(width: number, height: number, bytesPerPixel: number): number {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  const sizes = passes.map(([x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return rows * (1 + columns * bytesPerPixel)
  })
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

async function deflateZeros(count: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const zeros = Buffer.alloc(1_000_000)
  for (let left = count; left > 0; left -= zeros.length) {
    if (!deflate.write(zeros.subarray(0, Math.min(left, zeros.length)))) await once(deflate, 'drain')
  }
  deflate.end()
  await once(deflate, 'end')
  return Buffer.concat(parts)
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
