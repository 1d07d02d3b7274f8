import { type Html, html } from '../../platform/foundation/html.ts'

/** Prose as paragraphs, with `code` between backticks. */
export function prose(text: string): Html[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${inline(paragraph.trim())}</p>`)
}

export function inline(text: string): Html[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}
