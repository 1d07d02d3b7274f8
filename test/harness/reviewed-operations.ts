import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A row of the reviewed table: one operation. */
export interface ReviewedOperation {
  needs: string
  /** The traits that set it apart from others, such as `takes Idempotency-Key`. */
  traits: string
  /** Its entries in the audit log; empty for a GET. */
  audit: string
  /** The error keys beyond those of every operation. */
  errors: string
}

/**
 * The operations by route, as `test/api/reviewed-operations.txt` has them. That table is written from the contract by hand
 * and never from the code: a test that derives a role from the declaration passes with any role.
 */
export function readReviewedOperations(): Map<string, ReviewedOperation> {
  const text = readFileSync(join(import.meta.dirname, '..', 'api', 'reviewed-operations.txt'), 'utf8')
  const reviewed = new Map<string, ReviewedOperation>()
  let needs = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue
    if (!line.startsWith(' ')) {
      needs = line.trim()
      continue
    }
    const [route = '', traits = '', audit = '', errors = ''] = line.split('|').map((column) => column.trim())
    if (reviewed.has(route)) throw new Error(`${route} is in the reviewed table twice.`)
    reviewed.set(route, { needs, traits, audit, errors })
  }
  return reviewed
}
