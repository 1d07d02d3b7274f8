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
  { to: '/$slug/claims', label: 'nav.claims', icon: 'claim', needs: 'viewer' },
  { to: '/$slug/orders', label: 'nav.orders', icon: 'orders', needs: 'viewer' },
  { to: '/$slug/shipments', label: 'nav.shipments', icon: 'parcel', needs: 'viewer' },
  { to: '/$slug/performance', label: 'nav.performance', icon: 'clock', needs: 'viewer' },
  {
    to: '/$slug/marketing',
    label: 'nav.marketing',
    icon: 'sparkle',
    needs: 'viewer',
    children: [
      { to: '/$slug/marketing/campaigns', label: 'nav.campaigns', needs: 'viewer' },
      { to: '/$slug/marketing/discounts', label: 'nav.discounts', needs: 'viewer' },
      { to: '/$slug/marketing/deals', label: 'nav.deals', needs: 'viewer' },
      { to: '/$slug/marketing/announcements', label: 'nav.announcements', needs: 'viewer' },
      { to: '/$slug/marketing/ab-tests', label: 'nav.ab_tests', needs: 'viewer' },
      { to: '/$slug/marketing/automations', label: 'nav.automations', needs: 'viewer' },
    ],
  },
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
    to: '/$slug/carriers',
    label: 'nav.carriers',
    icon: 'truck',
    needs: 'viewer',
    children: [
      { to: '/$slug/carriers/providers', label: 'nav.providers', needs: 'viewer' },
      { to: '/$slug/carriers/codes', label: 'nav.codes', needs: 'viewer' },
      { to: '/$slug/carriers/detect', label: 'nav.detect', needs: 'viewer' },
    ],
  },
  { to: '/$slug/connect', label: 'nav.connect', icon: 'globe', needs: 'admin' },
  { to: '/$slug/imports', label: 'nav.imports', icon: 'download', needs: 'editor' },
  { to: '/$slug/sandbox', label: 'nav.sandbox', icon: 'bolt', needs: 'editor' },
  {
    to: '/$slug/settings',
    label: 'nav.settings',
    icon: 'settings',
    needs: 'viewer',
    children: [
      { to: '/$slug/settings/shop', label: 'nav.shop', needs: 'viewer' },
      { to: '/$slug/settings/palette', label: 'nav.palette', needs: 'viewer' },
      { to: '/$slug/settings/mail', label: 'nav.mail', needs: 'viewer' },
      { to: '/$slug/settings/mappings', label: 'nav.mappings', needs: 'viewer' },
      { to: '/$slug/settings/calendar', label: 'nav.calendar', needs: 'viewer' },
      { to: '/$slug/settings/promises', label: 'nav.promises', needs: 'viewer' },
      { to: '/$slug/settings/embedding', label: 'nav.embedding', needs: 'viewer' },
      { to: '/$slug/settings/withdrawal', label: 'nav.withdrawal', needs: 'viewer' },
      { to: '/$slug/settings/team-mail', label: 'nav.team_mail', needs: 'viewer' },
      { to: '/$slug/settings/people', label: 'nav.people', needs: 'admin' },
      { to: '/$slug/settings/keys', label: 'nav.keys', needs: 'admin' },
      { to: '/$slug/settings/audit-log', label: 'nav.audit_log', needs: 'admin' },
      { to: '/$slug/settings/privacy', label: 'nav.privacy', needs: 'admin' },
      { to: '/$slug/settings/status', label: 'nav.status', needs: 'superadmin' },
    ],
  },
]
