import type { AlertView, DigestView } from '../../../src/resources/team-mail/view.ts'
import type { TeamLayout } from './layout.ts'
import type { Words } from './texts.ts'

/** Why somebody gets a message, and how to change that. */
export function reasonOf(
  { isAddedAddress, shopName: shop, settingsUrl }: DigestView | AlertView,
  words: Words,
): Pick<TeamLayout, 'reason' | 'settings'> {
  if (isAddedAddress) return { reason: words('reason.address', { shop }) }
  return { reason: words('reason.person', { shop }), settings: { label: words('reason.settings'), url: settingsUrl } }
}
