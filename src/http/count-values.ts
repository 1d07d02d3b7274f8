export interface ValueLimits {
  /** Lists and objects. */
  containers: number
  values: number
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, openObject] = [0x5b, 0x7b]

/**
 * Whether JSON has more values than the limits allow. It counts bytes: each value follows a comma or opens a list or an
 * object. A fast count that includes commas and brackets inside texts is enough for most bodies.
 */
export function hasTooManyValues(bytes: Buffer, limits: ValueLimits): boolean {
  if (bytes.length <= limits.containers) return false
  const containers =
    countByte(bytes, openObject, limits.containers + 1) + countByte(bytes, openList, limits.containers + 1)
  const mayHaveTooMany =
    containers > limits.containers ||
    containers + countByte(bytes, comma, limits.values + 1 - containers) > limits.values
  return mayHaveTooMany && hasTooManyOutsideTexts(bytes, limits)
}

/** How often a byte occurs, up to `max`. */
function countByte(bytes: Buffer, byte: number, max: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1 && count < max; at = bytes.indexOf(byte, at + 1)) count += 1
  return count
}

/** The exact count, byte by byte: 4 ms per MB. */
function hasTooManyOutsideTexts(bytes: Buffer, limits: ValueLimits): boolean {
  let containers = 0
  let commas = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at + 1)
    else if (byte === comma) commas += 1
    else if (byte === openList || byte === openObject) {
      containers += 1
      if (containers > limits.containers) return true
    }
  }
  return containers + commas > limits.values
}

function endOfText(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
