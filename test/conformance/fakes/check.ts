import { Compile } from 'typebox/compile'
import type { TSchema } from '../../../src/platform/foundation/schema.ts'
import type { FakeRequest, FakeResponse } from '../integration-suite.ts'

/** The body as the schema has it, or a description of what is wrong. */
export function readBody(request: FakeRequest, mediaType: string, schema: TSchema): { body: unknown } | string {
  if (request.headers['content-type']?.split(';')[0] !== mediaType) return `content type is not ${mediaType}`
  let body: unknown
  try {
    body = JSON.parse(request.body)
  } catch {
    return 'body is not JSON'
  }
  const compiled = Compile(schema)
  if (compiled.Check(body)) return { body }
  const problems = [...compiled.Errors(body)].map(({ instancePath, message }) => `${instancePath} ${message}`)
  return problems.join('; ')
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): FakeResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}
