import type { ApiDescription } from './openapi.ts'

/** The reference for people: one page, no script, nothing from another host. */
export function renderReference(description: ApiDescription): string {
  return `<!doctype html><title>${String(description.info.title)}</title>`
}
