import { formatDay } from '../../kit/format.ts'

/** "3 Nov – 5 Nov", or one day. */
export function daysOf({ from, to }: { from: string; to: string }): string {
  const [first, last] = [formatDay(from), formatDay(to)]
  return first === last ? first : `${first} – ${last}`
}
