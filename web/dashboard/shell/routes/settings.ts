import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { listSearch } from '../../kit/list/search.ts'
import { auditSearch } from '../../screens/settings/audit-log/search.ts'
import { calendarSearch } from '../../screens/settings/calendar/search.ts'
import { keySearch } from '../../screens/settings/keys/search.ts'
import { messageSearch } from '../../screens/settings/mail/search.ts'
import { peopleSearch } from '../../screens/settings/people/search.ts'
import { afterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

const settings = createRoute({
  getParentRoute: () => shop,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$slug/settings/shop', params })
  },
})

const shopSettings = createRoute({
  getParentRoute: () => shop,
  path: '/settings/shop',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/shop/shop.tsx')),
    'ShopSettings',
  ),
})

const palette = createRoute({
  getParentRoute: () => shop,
  path: '/settings/palette',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/palette/palette.tsx')),
    'PaletteSettings',
  ),
})

const mailSettings = createRoute({
  getParentRoute: () => shop,
  path: '/settings/mail',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/mail/mail.tsx')),
    'MailSettings',
  ),
})

const mailAddresses = createRoute({
  getParentRoute: () => shop,
  path: '/settings/mail/addresses',
  validateSearch: listSearch,
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/mail/addresses.tsx')),
    'MailAddresses',
  ),
})

const mailMessage = createRoute({
  getParentRoute: () => shop,
  path: '/settings/mail/$group',
  validateSearch: messageSearch,
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/mail/message.tsx')),
    'MailMessage',
  ),
})

const mappings = createRoute({
  getParentRoute: () => shop,
  path: '/settings/mappings',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/mappings/mappings.tsx')),
    'Mappings',
  ),
})

const calendar = createRoute({
  getParentRoute: () => shop,
  path: '/settings/calendar',
  validateSearch: calendarSearch,
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/calendar/calendar.tsx')),
    'CalendarSettings',
  ),
})

const promises = createRoute({
  getParentRoute: () => shop,
  path: '/settings/promises',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/promises/promises.tsx')),
    'PromiseSettings',
  ),
})

const embedding = createRoute({
  getParentRoute: () => shop,
  path: '/settings/embedding',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/embedding/embedding.tsx')),
    'EmbeddingSettings',
  ),
})

const withdrawal = createRoute({
  getParentRoute: () => shop,
  path: '/settings/withdrawal',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/withdrawal/withdrawal.tsx')),
    'WithdrawalSettings',
  ),
})

const teamMail = createRoute({
  getParentRoute: () => shop,
  path: '/settings/team-mail',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/team-mail/team-mail.tsx')),
    'TeamMail',
  ),
})

const people = createRoute({
  getParentRoute: () => shop,
  path: '/settings/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/people/people.tsx')),
    'People',
  ),
})

const keys = createRoute({
  getParentRoute: () => shop,
  path: '/settings/keys',
  validateSearch: keySearch,
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/keys/keys.tsx')),
    'Keys',
  ),
})

const auditLog = createRoute({
  getParentRoute: () => shop,
  path: '/settings/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/audit-log/audit-log.tsx')),
    'AuditLog',
  ),
})

const privacy = createRoute({
  getParentRoute: () => shop,
  path: '/settings/privacy',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/privacy/privacy.tsx')),
    'Privacy',
  ),
})

const status = createRoute({
  getParentRoute: () => shop,
  path: '/settings/status',
  component: lazyRouteComponent(
    afterTexts('settings', () => import('../../screens/settings/status/status.tsx')),
    'SystemStatus',
  ),
})

/** The shop's settings, its people and their keys. */
export const settingsRoutes = [
  settings,
  shopSettings,
  palette,
  mailSettings,
  mailAddresses,
  mailMessage,
  mappings,
  calendar,
  promises,
  embedding,
  withdrawal,
  teamMail,
  people,
  keys,
  auditLog,
  privacy,
  status,
] as const
