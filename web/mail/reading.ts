import { webAddress } from '../../src/foundation/web-address.ts'
import type { MailView } from '../../src/resources/customer-mail/view.ts'
import type { Limits } from './parts.ts'
import type { MailTexts } from './texts.ts'

/** What every block gets: the view, the words, and how much it may show. */
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
