import { webAddress } from '../../platform/foundation/web-address.ts'
import type { MailView } from '../customer-mail/view.ts'
import type { Limits } from './parts.ts'
import type { MailTexts } from './texts.ts'

/** The input of every block: the view, the texts, and how much it may show. */
export interface Reading {
  view: MailView
  texts: MailTexts
  limits: Limits
}

/** An address that a message may link to or load a picture from: http or https only. */
export function linkOf(text: string | null | undefined): string | undefined {
  const address = webAddress(text)
  return address !== undefined && address.length <= 2_048 ? address : undefined
}

/** At most this many characters, cut at a word if there is one, with an ellipsis. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${(space > maxLength * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`
}
