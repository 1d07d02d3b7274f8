import type { LoggerOptions } from 'pino'

/** The characters of an address; any other ends it. */
const wordPattern = /[^\s"'<>(),;:=&?/\\]+/g

/**
 * Customers' e-mail addresses never reach the log, whatever message they are in. Word by word, because one pattern for
 * a whole address tries every beginning with every end: cubic in the length of the text.
 */
export function withoutEmails(text: string): string {
  if (!/@|%40/.test(text)) return text
  return text.replaceAll(wordPattern, (word) => (isEmail(word) ? '[e-mail]' : word))
}

function isEmail(word: string): boolean {
  const at = word.search(/[^@](?:@|%40)/)
  return at !== -1 && /\.[A-Za-z]{2}/.test(word.slice(at))
}

/** Removes the tokens of customers' pages: they have 64 characters, more than any word or id. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/[A-Za-z0-9_-]{60,}/g, '[token]')
}

/** Fields that never reach the log, at any depth. */
const hidden = new Set([
  'authorization',
  'cookie',
  'secret',
  'password',
  'api_key',
  'client_secret',
  'email',
  'email_id',
  'token',
])
/** Deeper than anything that is logged; ends the recursion in cyclic values. */
const deepest = 6

/**
 * These fields without the values that must not be logged. By hand, because pino's own redaction copies every value to
 * find `*.secret`: a line would take 20 µs instead of 3, and a request takes about 250.
 */
function censored<Fields extends object>(fields: Fields, depth = 0): Fields {
  if (depth > deepest) return fields
  let shown = fields
  for (const [name, value] of Object.entries(fields)) {
    const allowed = hidden.has(name.toLowerCase()) ? '[redacted]' : isPlain(value) ? censored(value, depth + 1) : value
    if (allowed === value || value === undefined || value === null) continue
    if (shown === fields) shown = (Array.isArray(fields) ? [...fields] : { ...fields }) as Fields // of the same shape
    Object.assign(shown, { [name]: allowed })
  }
  return shown
}

/** Excludes what has its own serialisation, such as errors and dates. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

export function logOptions(level: string): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }), log: (fields) => censored(fields) },
    serializers: {
      err: (error: Error & { code?: string; detail?: string }) => ({
        type: error.name,
        message: shown(error.message),
        code: error.code,
        stack: shown(error.stack ?? ''),
        ...(error.cause instanceof Error ? { cause: shown(error.cause.message) } : {}),
      }),
    },
  }
}

function shown(text: string): string {
  return withoutTokens(withoutEmails(text))
}
