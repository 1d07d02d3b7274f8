import { hasText, t } from '../../texts/texts.ts'

/** A reason or status of a claim as text. */
export function wordOf(section: 'claim_reason' | 'claim_status', name: string): string {
  const key = `orders.${section}_${name}`
  if (hasText(key)) return t(key)
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
