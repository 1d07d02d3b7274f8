import { randomInt } from 'node:crypto'

/** Upper limits for a JSON text. */
export interface JsonLimits {
  /** How deep lists and objects may be nested. */
  depth: number
  /** Lists and objects. */
  containers: number
  values: number
  /** Different names of fields, in all objects together. */
  names: number
}

export type JsonExcess = 'depth' | 'values' | 'names'

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** A name, its quotes and colon, a value and a comma: many different names need at least this many bytes each. */
const bytesPerName = 6

/** Finds the limit that JSON exceeds, before it is parsed. Most texts are small: counting their brackets is enough. */
export function findJsonExcess(bytes: Buffer, limits: JsonLimits): JsonExcess | undefined {
  const isSmall = bytes.length <= Math.min(limits.values, limits.names * bytesPerName)
  if (isSmall && hasFewContainers(bytes, Math.min(limits.depth, limits.containers))) return undefined
  return new JsonCounter(limits).add(bytes)
}

/** Counts brackets in texts as well, which is too many at worst. */
function hasFewContainers(bytes: Buffer, most: number): boolean {
  const objects = countByte(bytes, openObject, most + 1)
  return objects <= most && objects + countByte(bytes, openList, most + 1 - objects) <= most
}

/** How often a byte occurs, up to `max`. */
function countByte(bytes: Buffer, byte: number, max: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1 && count < max; at = bytes.indexOf(byte, at + 1)) count += 1
  return count
}

/**
 * Counts what is in a JSON text, byte by byte as it arrives: 5 ms per MB. Each value follows a comma or opens a list or an
 * object. The counts are right up to the first error of a text that is no JSON, which is as far as a parser reads it.
 */
export class JsonCounter {
  readonly #limits: JsonLimits
  readonly #names: NameSet
  /** For each depth, whether it is that of an object. */
  readonly #isObject: Uint8Array
  #depth = 0
  #containers = 0
  #commas = 0
  #text: 'none' | 'name' | 'value' = 'none'
  #isNameNext = false
  #nameHash = 0
  #isEscaped = false
  #excess: JsonExcess | undefined

  constructor(limits: JsonLimits) {
    this.#limits = limits
    this.#names = new NameSet(limits.names)
    this.#isObject = new Uint8Array(limits.depth + 2)
  }

  /** Counts the next bytes; returns the limit that is exceeded so far. */
  add(bytes: Uint8Array): JsonExcess | undefined {
    let at = 0
    while (at < bytes.length && this.#excess === undefined) {
      if (this.#text === 'none') at = this.#countUntilText(bytes, at)
      else if (this.#text === 'name') at = this.#readName(bytes, at)
      else at = this.#skipText(bytes, at)
    }
    return this.#excess
  }

  /** Returns where the next text begins. */
  #countUntilText(bytes: Uint8Array, start: number): number {
    const { depth: maxDepth, containers: maxContainers, values: maxValues } = this.#limits
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (byte === quote) {
        this.#text = this.#isNameNext ? 'name' : 'value'
        return at + 1
      }
      if (byte === colon) this.#isNameNext = false
      else if (byte === comma) {
        this.#commas += 1
        this.#isNameNext = this.#isObject[this.#depth] === 1
        if (this.#containers + this.#commas > maxValues) return this.#end('values')
      } else if (byte === openObject || byte === openList) {
        this.#depth += 1
        this.#containers += 1
        if (this.#depth > maxDepth) return this.#end('depth')
        if (this.#containers > maxContainers || this.#containers + this.#commas > maxValues) return this.#end('values')
        this.#isNameNext = byte === openObject
        this.#isObject[this.#depth] = byte === openObject ? 1 : 0
      } else if (byte === closeObject || byte === closeList) {
        this.#depth = Math.max(0, this.#depth - 1)
        this.#isNameNext = false
      }
    }
    return bytes.length
  }

  #end(excess: JsonExcess): number {
    this.#excess = excess
    return 0
  }

  /** Returns where the name ends. */
  #readName(bytes: Uint8Array, start: number): number {
    let hash = this.#nameHash
    let isEscaped = this.#isEscaped
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] as number // within its length
      if (byte === quote && !isEscaped) {
        this.#text = 'none'
        this.#nameHash = 0
        this.#isEscaped = false
        if (!this.#names.add(hash)) this.#excess = 'names'
        return at + 1
      }
      isEscaped = byte === backslash && !isEscaped
      // Without the shift, the differences of similar names cancel each other out with some factors: 26,000 of 200,000
      // were mistaken for others.
      hash = Math.imul(hash ^ (byte + 1), factor)
      hash ^= hash >>> 15
    }
    this.#nameHash = hash
    this.#isEscaped = isEscaped
    return bytes.length
  }

  #skipText(bytes: Uint8Array, start: number): number {
    let at = start
    if (this.#isEscaped && at < bytes.length) {
      this.#isEscaped = false
      at += 1
    }
    while (at < bytes.length) {
      const byte = bytes[at]
      if (byte === quote) {
        this.#text = 'none'
        return at + 1
      }
      at += byte === backslash ? 2 : 1
    }
    this.#isEscaped = at > bytes.length
    return bytes.length
  }
}

/** Random, so that nobody outside knows which names would share a place. */
const factor = randomInt(2 ** 24, 2 ** 31) | 1

/** Counts different names by their hashes. Two with one hash count as one. */
class NameSet {
  readonly #most: number
  readonly #shift: number
  #table: Int32Array | undefined
  #count = 0

  constructor(most: number) {
    this.#most = most
    this.#shift = Math.clz32(most) - 1 // at most half of the table is used
  }

  /** False if this is one too many. */
  add(nameHash: number): boolean {
    const hash = Math.imul(nameHash ^ (nameHash >>> 15), factor) || 1 // 0 is an empty place
    this.#table ??= new Int32Array(2 ** (32 - this.#shift))
    const last = this.#table.length - 1
    let place = hash >>> this.#shift
    while (this.#table[place] !== 0) {
      if (this.#table[place] === hash) return true
      place = place === last ? 0 : place + 1
    }
    this.#table[place] = hash
    this.#count += 1
    return this.#count <= this.#most
  }
}
