import { invalid } from '../../platform/foundation/errors.ts'

const idBytes = 16
const positionBytes = 6

/** A place in a feed, as text: the id of the feed, and the position. */
export function toCursor(feedId: string, position: number): string {
  const bytes = Buffer.alloc(idBytes + positionBytes)
  bytes.write(feedId.replaceAll('-', ''), 'hex')
  bytes.writeUIntBE(position, idBytes, positionBytes)
  return bytes.toString('base64url')
}

/** The position of a cursor of this feed. */
export function positionOf(feedId: string, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url')
  const position = bytes.length === idBytes + positionBytes ? bytes.readUIntBE(idBytes, positionBytes) : -1
  if (position < 0 || toCursor(feedId, position) !== cursor) {
    throw invalid(['query', 'after'], "is not a cursor of this shop's events: leave it out to begin with the oldest")
  }
  return position
}
