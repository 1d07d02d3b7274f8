/** The fields of an answer's body, undefined where it is no JSON object: other systems' answers are never trusted to be one. */
export function readObject(body: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(body))
  } catch {
    // Not JSON: the caller decides what an unreadable answer means.
    return undefined
  }
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Record<string, unknown> // an object that is no list
}

export function asList(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

/** The records of a list; what is no list has none. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return (asList(value) ?? []).map(asObject).filter((item) => item !== undefined)
}

/** A text that says something, without blanks around it; numbers are taken as written. */
export function asText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
