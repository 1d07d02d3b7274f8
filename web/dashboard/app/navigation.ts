import type { IconName } from '../kit/icon.tsx'
import type { TextKey } from '../texts/texts.ts'
import type { Role } from './session.ts'

export interface Destination {
  /** A route below the shop. */
  to: string
  label: TextKey
  icon: IconName
  /** The role its operations need. */
  needs: Role
  children?: readonly Omit<Destination, 'icon' | 'children'>[]
}

/** The pages of a shop, in the order of the day: what needs a person first. A role sees what it may use. */
export const destinations: readonly Destination[] = [
  { to: '/$slug', label: 'nav.home', icon: 'home', needs: 'viewer' },
  { to: '/$slug/exceptions', label: 'nav.exceptions', icon: 'alert', needs: 'viewer' },
  { to: '/$slug/orders', label: 'nav.orders', icon: 'orders', needs: 'viewer' },
  { to: '/$slug/shipments', label: 'nav.shipments', icon: 'parcel', needs: 'viewer' },
  {
    to: '/$slug/messages',
    label: 'nav.messages',
    icon: 'messages',
    needs: 'viewer',
    children: [
      { to: '/$slug/messages/webhooks', label: 'nav.webhooks', needs: 'admin' },
      { to: '/$slug/messages/integrations', label: 'nav.integrations', needs: 'viewer' },
      { to: '/$slug/messages/triggers', label: 'nav.triggers', needs: 'viewer' },
    ],
  },
  {
    to: '/$slug/settings',
    label: 'nav.settings',
    icon: 'settings',
    needs: 'viewer',
    children: [
      { to: '/$slug/settings/shop', label: 'nav.shop', needs: 'viewer' },
      { to: '/$slug/settings/palette', label: 'nav.palette', needs: 'viewer' },
      { to: '/$slug/settings/mappings', label: 'nav.mappings', needs: 'viewer' },
      { to: '/$slug/settings/people', label: 'nav.people', needs: 'admin' },
      { to: '/$slug/settings/keys', label: 'nav.keys', needs: 'admin' },
      { to: '/$slug/settings/audit-log', label: 'nav.audit_log', needs: 'admin' },
      { to: '/$slug/settings/privacy', label: 'nav.privacy', needs: 'admin' },
    ],
  },
]
