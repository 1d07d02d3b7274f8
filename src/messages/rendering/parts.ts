import type { Scheme } from '../../shops/settings/color-scheme.ts'

/**
 * A part of a message. Blocks produce parts; `draw.ts` converts them into HTML and `text.ts` into plain text, so that
 * both say the same.
 */
export type Part =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string; tone?: 'soft' | 'strong' }
  | { kind: 'status'; status: string; tone: Tone; steps: readonly string[]; at: number; progress: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'rows'; rows: readonly Row[] }
  | { kind: 'picture'; url: string; width: number; height: number }
  | { kind: 'code'; label: string; code: string }
  | { kind: 'quote'; text: string }
  | { kind: 'button'; label: string; url: string; isQuiet?: boolean }
  | { kind: 'links'; links: readonly Link[] }

export type Tone = 'accent' | 'late' | 'wrong'

export interface Fact {
  label: string
  value: string
  url?: string | undefined
}

export interface Link {
  label: string
  url: string
}

/** A line with a picture, such as a product. */
export interface Row {
  title: string
  details: string
  amount: string | undefined
  /** Null: a place without a picture; undefined: no place for one. */
  imageUrl: string | null | undefined
  url: string | undefined
}

/** Parts on one background. */
export interface Section {
  ground: Extract<keyof Scheme, 'page' | 'card' | 'tint' | 'offer'>
  parts: readonly Part[]
}

/** How much of what may be long is shown. */
export interface Limits {
  products: number
  parcels: number
  deals: number
  /** Characters of a title, and of a text. */
  title: number
  text: number
}
