/** Text that is HTML already. Everything else that goes into a template is escaped. */
export interface Html {
  readonly html: string
}

type Piece = string | number | Html | readonly Html[] | undefined

/** Puts HTML together: values are escaped unless they were made here, absent ones leave nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) text += render(piece) + (strings[index + 1] ?? '')
  return { html: text }
}

function render(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece))
  if ('html' in piece) return piece.html
  return piece.map((part) => part.html).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

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

/** An id for a heading, from its words. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
