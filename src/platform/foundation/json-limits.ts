import { findJsonExcess, type JsonExcess, type JsonLimits } from './count-json.ts'

/**
 * Text may have one list or object per 36 bytes of its limit, and one value per 9 bytes. The densest realistic orders
 * (products of three short fields) have one per 38 and per 9.5 bytes; orders with images one per 60 and per 16.
 */
const bytesPerContainer = 36
const bytesPerValue = 9

/** Always allowed, however low the byte limit is: small bodies are denser. */
const minimum = { containers: 10_000, values: 40_000 }

/** Deeper than any real body. Code that reads it recursively, PostgreSQL included, must not overflow the stack. */
const maxDepth = 100

/**
 * An order has some 250 different names of fields, and a thousand of them hardly more; this leaves 20 of its own to each.
 * 900,000 different names take JSON.parse 1 s and 140 MB in one object, 5.7 s and 660 MB in 9,000; 20,000 take 30 ms and 6 MB.
 */
const maxNames = 20_000

/** Limits for JSON that may have so many bytes. */
export function jsonLimits(bytes: number): JsonLimits {
  return {
    depth: maxDepth,
    containers: Math.max(minimum.containers, Math.floor(bytes / bytesPerContainer)),
    values: Math.max(minimum.values, Math.floor(bytes / bytesPerValue)),
    names: maxNames,
  }
}

/** Messages about JSON that exceeds a limit. */
export const excessSentences: Record<JsonExcess, string> = {
  depth: `must not be nested more than ${maxDepth} deep`,
  values: 'has more values than this service accepts',
  names: `must not have more than ${maxNames} different names of fields`,
}

/** The JSON is not parsed, because it exceeds a limit. */
export class TooMuchJson extends Error {
  readonly excess: JsonExcess

  constructor(excess: JsonExcess) {
    super(excessSentences[excess])
    this.excess = excess
  }
}

/** The largest message or reply of another system is 16 MB. */
const limitsOfOthers = jsonLimits(16_000_000)

/** Parses JSON of another system. Throws if it is no JSON, or has more in it than any real message. */
export function parseBounded(json: string): unknown {
  const excess = findJsonExcess(Buffer.from(json), limitsOfOthers)
  if (excess !== undefined) throw new TooMuchJson(excess)
  return JSON.parse(json)
}
