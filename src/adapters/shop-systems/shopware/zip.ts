import { crc32 } from 'node:zlib'

/** Flag: names are UTF-8. */
const utf8Names = 0x0800
const version = 20

/** A ZIP archive of small uncompressed files. Shopware unpacks it into its apps folder. */
export function zip(files: { path: string; text: string }[], at: Date): Buffer {
  const stamp = dosTime(at)
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, text } of files) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(text)
    const fields = [version, utf8Names, 0, ...stamp]
    const sizes = [crc32(bytes), bytes.length, bytes.length]
    const lengths = [name.length, 0]
    const local = [uint32(0x04034b50), ...fields.map(uint16), ...sizes.map(uint32), ...lengths.map(uint16), name, bytes]
    const rest = [...[...lengths, 0, 0, 0].map(uint16), uint32(0), uint32(offset), name]
    directory.push(uint32(0x02014b50), uint16(version), ...fields.map(uint16), ...sizes.map(uint32), ...rest)
    locals.push(...local)
    offset += Buffer.concat(local).length
  }
  const size = Buffer.concat(directory).length
  const counts = [0, 0, files.length, files.length]
  const end = [uint32(0x06054b50), ...counts.map(uint16), uint32(size), uint32(offset), uint16(0)]
  return Buffer.concat([...locals, ...directory, ...end])
}

/** MS-DOS time and date: a resolution of two seconds, from 1980 on. */
function dosTime(at: Date): [number, number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return [time, day]
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
