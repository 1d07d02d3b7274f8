import { furtherPosts } from '../posts.ts'
import type { CatalogueEntry } from './entry.ts'

const ownPages: Readonly<Record<string, string>> = {
  'russian-post': 'https://www.pochta.ru/tracking?barcode={tracking_number}',
}

// Few of these posts have a page that accepts a number in the URL; this one tracks all of them.
const sharedPage = 'https://t.17track.net/en#nums={tracking_number}'

/** Postal operators that are listed only for their UPU numbers. */
export const posts: readonly CatalogueEntry[] = furtherPosts.map(([country, reference, name, ...aliases]) => ({
  reference,
  name,
  countries: [country],
  trackingUrl: ownPages[reference] ?? sharedPage,
  aliases,
}))
