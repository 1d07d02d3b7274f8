import type { FormPart } from './multipart.ts'

/** The fields that a browser would send of the form in this page, in its order: hidden, checked, chosen or typed. */
export function fieldsOf(page: string): FormPart[] {
  const form = /<form\b[^>]*method="post"[\s\S]*?<\/form>/.exec(page)?.[0] ?? ''
  const controls = form.matchAll(
    /<input\b([^>]*)>|<textarea\b([^>]*)>\n?([\s\S]*?)<\/textarea>|<select\b([^>]*)>([\s\S]*?)<\/select>/g,
  )
  return [...controls].flatMap(([, input, textarea, text = '', select, options = '']) => {
    const attributes = input ?? textarea ?? select ?? ''
    const name = attribute(attributes, 'name')
    if (name === undefined || has(attributes, 'disabled')) return []
    if (textarea !== undefined) return [{ name, content: withoutEntities(text) }]
    if (select !== undefined) return [{ name, content: chosenOption(options) }]
    const type = attribute(attributes, 'type')
    if (type === 'file') return []
    if ((type === 'radio' || type === 'checkbox') && !has(attributes, 'checked')) return []
    return [{ name, content: attribute(attributes, 'value') ?? '' }]
  })
}

/** The fields with these values instead of their own; undefined removes a field, as unchecking does. */
export function withFields(fields: FormPart[], changes: Record<string, string | undefined>): FormPart[] {
  const given = Object.entries(changes).flatMap(([name, content]) => (content === undefined ? [] : [{ name, content }]))
  return [...fields.filter(({ name }) => !(name in changes)), ...given]
}

export function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]
  return value === undefined ? undefined : withoutEntities(value)
}

function has(attributes: string, name: string): boolean {
  return new RegExp(`(?:^|\\s)${name}(?=[\\s>]|$)`).test(attributes.replaceAll(/"[^"]*"/g, '""'))
}

function chosenOption(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, attributes = '']) => attributes)
  const chosen = all.find((attributes) => has(attributes, 'selected')) ?? all[0] ?? ''
  return attribute(chosen, 'value') ?? ''
}

export function withoutEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
