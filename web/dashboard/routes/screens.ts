import type { ComponentType } from 'react'
import type { pages } from './pages.ts'

/** How a screen is loaded, and the name of its component. */
interface Screen {
  load: () => Promise<Record<string, ComponentType>>
  name: string
}

/** Every screen of the table of pages. They load when they are opened. */
export const screens = {
  'ab-tests/ab-test': screen(() => import('../screens/ab-tests/ab-test.tsx'), 'AbTest'),
  'ab-tests/ab-tests': screen(() => import('../screens/ab-tests/ab-tests.tsx'), 'AbTests'),
  'ab-tests/new-ab-test': screen(() => import('../screens/ab-tests/new-ab-test.tsx'), 'NewAbTest'),
  'account/account': screen(() => import('../screens/account/account.tsx'), 'Account'),
  'account/no-shop': screen(() => import('../screens/account/no-shop.tsx'), 'NoShop'),
  'automations/automation': screen(() => import('../screens/automations/automation.tsx'), 'Automation'),
  'automations/automations': screen(() => import('../screens/automations/automations.tsx'), 'Automations'),
  'carriers/codes': screen(() => import('../screens/carriers/codes.tsx'), 'Codes'),
  'carriers/detect': screen(() => import('../screens/carriers/detect.tsx'), 'Detect'),
  'carriers/provider': screen(() => import('../screens/carriers/provider.tsx'), 'ProviderPage'),
  'carriers/providers': screen(() => import('../screens/carriers/providers.tsx'), 'Providers'),
  'claims/claims': screen(() => import('../screens/claims/claims.tsx'), 'Claims'),
  'claims/reasons': screen(() => import('../screens/claims/reasons.tsx'), 'Reasons'),
  'connect/connect': screen(() => import('../screens/connect/connect.tsx'), 'Connect'),
  'connect/marketing': screen(() => import('../screens/connect/marketing.tsx'), 'Marketing'),
  'connect/provider': screen(() => import('../screens/connect/provider.tsx'), 'Provider'),
  'connect/shopify': screen(() => import('../screens/connect/shopify.tsx'), 'Shopify'),
  'connect/shopware': screen(() => import('../screens/connect/shopware.tsx'), 'Shopware'),
  'connect/smtp': screen(() => import('../screens/connect/smtp.tsx'), 'Smtp'),
  'connect/woocommerce': screen(() => import('../screens/connect/woocommerce.tsx'), 'WooCommerce'),
  'exceptions/exceptions': screen(() => import('../screens/exceptions/exceptions.tsx'), 'Exceptions'),
  'home/home': screen(() => import('../screens/home/home.tsx'), 'Home'),
  'imports/import': screen(() => import('../screens/imports/import.tsx'), 'ImportPage'),
  'imports/imports': screen(() => import('../screens/imports/imports.tsx'), 'Imports'),
  'marketing/announcement': screen(() => import('../screens/marketing/announcement.tsx'), 'Announcement'),
  'marketing/announcements': screen(() => import('../screens/marketing/announcements.tsx'), 'Announcements'),
  'marketing/campaign': screen(() => import('../screens/marketing/campaign.tsx'), 'Campaign'),
  'marketing/campaigns': screen(() => import('../screens/marketing/campaigns.tsx'), 'Campaigns'),
  'marketing/deal': screen(() => import('../screens/marketing/deal.tsx'), 'Deal'),
  'marketing/deals': screen(() => import('../screens/marketing/deals.tsx'), 'Deals'),
  'marketing/discount': screen(() => import('../screens/marketing/discount.tsx'), 'Discount'),
  'marketing/discounts': screen(() => import('../screens/marketing/discounts.tsx'), 'Discounts'),
  'messages/delivery': screen(() => import('../screens/messages/delivery.tsx'), 'Delivery'),
  'messages/integration': screen(() => import('../screens/messages/integration.tsx'), 'Integration'),
  'messages/integrations': screen(() => import('../screens/messages/integrations.tsx'), 'Integrations'),
  'messages/trigger': screen(() => import('../screens/messages/trigger.tsx'), 'Trigger'),
  'messages/triggers': screen(() => import('../screens/messages/triggers.tsx'), 'Triggers'),
  'messages/webhook': screen(() => import('../screens/messages/webhook.tsx'), 'Webhook'),
  'messages/webhooks': screen(() => import('../screens/messages/webhooks.tsx'), 'Webhooks'),
  'orders/order': screen(() => import('../screens/orders/order.tsx'), 'Order'),
  'orders/orders': screen(() => import('../screens/orders/orders.tsx'), 'Orders'),
  'performance/parcels': screen(() => import('../screens/performance/parcels.tsx'), 'PerformanceParcels'),
  'performance/performance': screen(() => import('../screens/performance/performance.tsx'), 'Performance'),
  'sandbox/journey': screen(() => import('../screens/sandbox/journey.tsx'), 'Journey'),
  'sandbox/sandbox': screen(() => import('../screens/sandbox/sandbox.tsx'), 'Sandbox'),
  'settings/audit-log/audit-log': screen(() => import('../screens/settings/audit-log/audit-log.tsx'), 'AuditLog'),
  'settings/calendar/calendar': screen(() => import('../screens/settings/calendar/calendar.tsx'), 'CalendarSettings'),
  'settings/embedding/embedding': screen(
    () => import('../screens/settings/embedding/embedding.tsx'),
    'EmbeddingSettings',
  ),
  'settings/keys/keys': screen(() => import('../screens/settings/keys/keys.tsx'), 'Keys'),
  'settings/mail/addresses': screen(() => import('../screens/settings/mail/addresses.tsx'), 'MailAddresses'),
  'settings/mail/mail': screen(() => import('../screens/settings/mail/mail.tsx'), 'MailSettings'),
  'settings/mail/message': screen(() => import('../screens/settings/mail/message.tsx'), 'MailMessage'),
  'settings/mappings/mappings': screen(() => import('../screens/settings/mappings/mappings.tsx'), 'Mappings'),
  'settings/palette/palette': screen(() => import('../screens/settings/palette/palette.tsx'), 'PaletteSettings'),
  'settings/people/people': screen(() => import('../screens/settings/people/people.tsx'), 'People'),
  'settings/privacy/privacy': screen(() => import('../screens/settings/privacy/privacy.tsx'), 'Privacy'),
  'settings/promises/promises': screen(() => import('../screens/settings/promises/promises.tsx'), 'PromiseSettings'),
  'settings/shop/shop': screen(() => import('../screens/settings/shop/shop.tsx'), 'ShopSettings'),
  'settings/status/status': screen(() => import('../screens/settings/status/status.tsx'), 'SystemStatus'),
  'settings/team-mail/team-mail': screen(() => import('../screens/settings/team-mail/team-mail.tsx'), 'TeamMail'),
  'settings/withdrawal/withdrawal': screen(
    () => import('../screens/settings/withdrawal/withdrawal.tsx'),
    'WithdrawalSettings',
  ),
  'shipments/shipment': screen(() => import('../screens/shipments/shipment.tsx'), 'Shipment'),
  'shipments/shipments': screen(() => import('../screens/shipments/shipments.tsx'), 'Shipments'),
  'sign-in/forgotten': screen(() => import('../screens/sign-in/forgotten.tsx'), 'Forgotten'),
  'sign-in/invitation': screen(() => import('../screens/sign-in/invitation.tsx'), 'Invitation'),
  'sign-in/sign-in': screen(() => import('../screens/sign-in/sign-in.tsx'), 'SignIn'),
} satisfies Record<(typeof pages)[keyof typeof pages]['screen'], Screen>

function screen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name): Screen {
  return { load, name }
}
