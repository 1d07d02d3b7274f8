import MiniSearch from 'minisearch'
import { pathOf } from './contents.ts'
import type { GuidePage } from './page.ts'

/** The index that the browser searches, as JSON: one entry per section. guide.client.js reads it with the same fields. */
export function renderSearchIndex(pages: readonly GuidePage[]): string {
  const index = new MiniSearch({
    idField: 'path',
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
  })
  index.addAll(
    pages.flatMap((page) =>
      page.sections.map(({ id, heading, text }) => ({
        path: id === '' ? pathOf(page.name) : `${pathOf(page.name)}#${id}`,
        title: page.title,
        heading,
        text,
      })),
    ),
  )
  return JSON.stringify(index)
}
