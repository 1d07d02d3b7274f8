import MiniSearch from 'minisearch'
import type { Steps } from '../../platform/foundation/steps.ts'
import { pathOf } from './contents.ts'
import type { GuidePage } from './page.ts'

/** The index that the browser searches, as JSON: one entry per section. guide.client.js reads it with the same fields. */
export function* renderSearchIndex(pages: readonly GuidePage[]): Steps<string> {
  const index = new MiniSearch({
    idField: 'path',
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
  })
  for (const page of pages) {
    for (const { id, heading, text } of page.sections) {
      const path = id === '' ? pathOf(page.name) : `${pathOf(page.name)}#${id}`
      index.add({ path, title: page.title, heading, text })
      yield
    }
  }
  return JSON.stringify(index)
}
