import type { Operation } from './foundation/operation.ts'
import * as deliveryWindows from './journey/delivery-windows/operations.ts'
import * as events from './journey/events/operations.ts'
import * as orders from './journey/orders/operations.ts'
import * as shipments from './journey/shipments/operations.ts'
import * as shipmentSearch from './journey/shipments/search-operations.ts'
import * as abTests from './resources/ab-tests/operations.ts'
import * as analytics from './resources/analytics/operations.ts'
import * as announcements from './resources/announcements/operations.ts'
import * as attention from './resources/attention/operations.ts'
import * as auditLog from './resources/audit-log/operations.ts'
import * as automationDrafts from './resources/automations/draft-operations.ts'
import * as automations from './resources/automations/operations.ts'
import * as automationRuns from './resources/automations/run-operations.ts'
import * as backfills from './resources/backfills/operations.ts'
import * as calendar from './resources/calendar/operations.ts'
import * as campaignImages from './resources/campaigns/image-operations.ts'
import * as campaigns from './resources/campaigns/operations.ts'
import * as carriers from './resources/carriers/operations.ts'
import * as catchUp from './resources/catch-up/operations.ts'
import * as claimFigures from './resources/claim-figures/operations.ts'
import * as claimDecisions from './resources/claims/decision-operations.ts'
import * as claims from './resources/claims/operations.ts'
import * as connectionGrants from './resources/connections/grant-operations.ts'
import * as connections from './resources/connections/operations.ts'
import * as deals from './resources/deals/operations.ts'
import * as promiseBacktests from './resources/delivery-promises/backtest-operations.ts'
import * as deliveryPromises from './resources/delivery-promises/operations.ts'
import * as deliveryTimes from './resources/delivery-times/operations.ts'
import * as discounts from './resources/discounts/operations.ts'
import * as embedding from './resources/embedding/operations.ts'
import * as encryption from './resources/encryption/operations.ts'
import * as eventNames from './resources/event-catalogue/operations.ts'
import * as eventFeed from './resources/event-feed/operations.ts'
import * as exceptions from './resources/exceptions/operations.ts'
import * as shipmentExports from './resources/exports/operations.ts'
import * as images from './resources/images/operations.ts'
import * as orderImports from './resources/imports/operations.ts'
import * as integrationKeys from './resources/integration-keys/operations.ts'
import * as integrations from './resources/integrations/operations.ts'
import * as keys from './resources/keys/operations.ts'
import * as mailAccount from './resources/mail-account/operations.ts'
import * as mailFigures from './resources/mail-figures/operations.ts'
import * as mailReports from './resources/mail-recipients/inbound-operations.ts'
import * as mailRecipients from './resources/mail-recipients/operations.ts'
import * as mailTemplates from './resources/mail-templates/operations.ts'
import * as mailPreview from './resources/mail-templates/preview-operations.ts'
import * as notes from './resources/notes/operations.ts'
import * as offers from './resources/offers/operations.ts'
import * as offerPreview from './resources/offers/preview-operations.ts'
import * as trackingPages from './resources/page-addresses/operations.ts'
import * as people from './resources/people/operations.ts'
import * as privacy from './resources/privacy/operations.ts'
import * as products from './resources/products/operations.ts'
import * as promiseReport from './resources/promise-report/operations.ts'
import * as routeMaps from './resources/route-map/operations.ts'
import * as lists from './resources/search/list-operations.ts'
import * as search from './resources/search/operations.ts'
import * as settingsBundle from './resources/settings/bundle-operations.ts'
import * as internalTriggers from './resources/settings/internal-trigger-operations.ts'
import * as settings from './resources/settings/operations.ts'
import * as palettePreview from './resources/settings/preview-operations.ts'
import * as shopSystemSettings from './resources/settings/shop-system-operations.ts'
import * as triggerSettings from './resources/settings/trigger-operations.ts'
import * as shopSystemWebhooks from './resources/shop-systems/inbound-operations.ts'
import * as shopSystems from './resources/shop-systems/operations.ts'
import * as shops from './resources/shops/operations.ts'
import * as shopwareRegistration from './resources/shopware/inbound-operations.ts'
import * as shopwareApp from './resources/shopware/operations.ts'
import * as accounts from './resources/sign-in/account-operations.ts'
import * as signInLinks from './resources/sign-in/link-operations.ts'
import * as signIns from './resources/sign-in/session-operations.ts'
import * as status from './resources/status/operations.ts'
import * as teamMail from './resources/team-mail/operations.ts'
import * as timeline from './resources/timeline/operations.ts'
import * as orderTimeline from './resources/timeline/order-operations.ts'
import * as inboundCarriers from './resources/tracking/inbound-operations.ts'
import * as trackingProviders from './resources/tracking/provider-operations.ts'
import * as unmappedCodes from './resources/tracking/unmapped-operations.ts'
import * as views from './resources/views/operations.ts'
import * as deliveries from './resources/webhooks/delivery-operations.ts'
import * as webhooks from './resources/webhooks/operations.ts'
import * as replays from './resources/webhooks/replay-operations.ts'
import * as withdrawals from './resources/withdrawals/operations.ts'
import * as shopMoves from './shop-moves/operations.ts'

/** Every operation of the API. Routes, roles, validation, the API description and its tests follow from this list. */
export const operations: readonly Operation[] = [
  shops,
  keys,
  encryption,
  signIns,
  signInLinks,
  accounts,
  people,
  teamMail,
  orders,
  trackingPages,
  shipments,
  shipmentSearch,
  search,
  lists,
  events,
  eventFeed,
  exceptions,
  attention,
  notes,
  views,
  eventNames,
  claims,
  claimDecisions,
  claimFigures,
  withdrawals,
  webhooks,
  replays,
  deliveries,
  timeline,
  orderTimeline,
  routeMaps,
  campaigns,
  campaignImages,
  abTests,
  offers,
  offerPreview,
  discounts,
  deals,
  announcements,
  automations,
  automationDrafts,
  automationRuns,
  products,
  carriers,
  unmappedCodes,
  inboundCarriers,
  deliveryWindows,
  calendar,
  mailAccount,
  analytics,
  deliveryTimes,
  deliveryPromises,
  promiseBacktests,
  images,
  orderImports,
  shipmentExports,
  privacy,
  promiseReport,
  auditLog,
  integrationKeys,
  integrations,
  mailRecipients,
  mailFigures,
  mailReports,
  connections,
  connectionGrants,
  backfills,
  catchUp,
  mailTemplates,
  mailPreview,
  shopSystems,
  shopSystemWebhooks,
  shopwareApp,
  shopwareRegistration,
  settings,
  palettePreview,
  embedding,
  trackingProviders,
  triggerSettings,
  internalTriggers,
  settingsBundle,
  shopSystemSettings,
  status,
  shopMoves,
].flatMap((area) => Object.values(area))
