import { parseStorable } from './storable-text.ts'

/** Parses a JSON object. Undefined if the text is not one: data of another system is never trusted. */
export function readObject(body: string): Record<string, unknown> | undefined {
  try {
    return asObject(parseStorable(body))
  } catch {
    // Not JSON: the caller decides what that means.
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined
}

export function asList(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** The objects in a list; none if it is not a list. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return (asList(value) ?? []).filter(isRecord)
}

/** A text that is not blank, trimmed; numbers become text. */
export function asText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
