import type { Tone } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/format.ts'
import { hasText, t } from '../../texts/texts.ts'
import type { ImportProblem, ImportSummary } from './use-upload.ts'

export function bytesInWords(bytes: number): string {
  if (bytes < 1_000) return `${formatNumber(bytes)} B`
  if (bytes < 1_000_000) return `${formatNumber(bytes / 1_000)} KB`
  return `${formatNumber(bytes / 1_000_000, 1)} MB`
}

/** How an import ended, in a word; a dry run says that nothing was written. */
export function stateOf(found: ImportSummary): { tone: Tone; words: string } {
  if (found.status === 'queued' || found.status === 'running') {
    return { tone: 'info', words: t(`imports.status.${found.status}`) }
  }
  if (found.status === 'cancelled') return { tone: 'neutral', words: t('imports.status.cancelled') }
  if (found.status !== 'completed') return { tone: 'wrong', words: t(`imports.status.${found.status}`) }
  const tone = found.problem_count > 0 ? 'late' : 'good'
  return { tone, words: t(found.dry_run ? 'imports.status.checked' : 'imports.status.completed') }
}

/** The importer's own sentences, by their first words: each has its text in every language. */
const reasons: readonly [pattern: RegExp, name: string][] = [
  [/^must be a whole number/, 'integer'],
  [/^must be a number like/, 'number'],
  [/^is not UTF-8/, 'utf8'],
  [/^differs from row (?<row>\d+)/, 'differs'],
  [/^belongs to a parcel/, 'no_tracking_number'],
  [/^has (?<count>\d+) values/, 'too_many_values'],
  [/stands in row (?<row>\d+) already/, 'repeated'],
  [/has the external_id/, 'external_id_taken'],
  [/^could not be written/, 'not_written'],
  [/1,000 values/, 'too_wide'],
  [/has more than \d+ (?:rows|MB)$/, 'order_too_long'],
  [/could not be read, one after another/, 'unreadable'],
  [/stopped again, without progress/, 'no_progress'],
  [/^The column order_number is missing/, 'no_order_number'],
  [/^The file has no header/, 'no_header'],
  [/is not a known carrier/, 'carrier'],
  [/zip code/, 'zip_code'],
  [/e-?mail/i, 'email'],
  [/(date-time|instant|date and time|ISO 8601)/i, 'time'],
  [/more than \d{1,6} characters/, 'too_long'],
]

/** The problem in the reader's language; one without a text keeps the service's sentence. */
export function reasonOf({ key, message }: Pick<ImportProblem, 'key' | 'message'>): string {
  for (const [pattern, name] of reasons) {
    const found = pattern.exec(message)
    const text = `imports.reason.${name}`
    if (found && hasText(text)) return t(text, { ...found.groups })
  }
  const text = `imports.reason.${key}`
  return hasText(text) ? t(text, { message }) : message
}
