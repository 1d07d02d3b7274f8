import { call, callsOf } from '../app/call.ts'
import { listSearch } from '../kit/list/search.ts'
import { abTestSearch } from '../screens/ab-tests/search.ts'
import { automationSearch, newAutomationSearch } from '../screens/automations/search.ts'
import { codeSearch } from '../screens/carriers/search.ts'
import { claimsCall, reasonsCall } from '../screens/claims/calls.ts'
import { claimSearch, reasonSearch } from '../screens/claims/search.ts'
import { connectSearch } from '../screens/connect/search.ts'
import { exceptionsCall } from '../screens/exceptions/calls.ts'
import { exceptionSearch } from '../screens/exceptions/search.ts'
import { attentionCall, figuresCall } from '../screens/home/calls.ts'
import { homeSearch } from '../screens/home/search.ts'
import { reportSearch } from '../screens/imports/search.ts'
import {
  campaignFiguresCall,
  campaignsCall,
  dealsCall,
  discountsCall,
  openTestsCall,
} from '../screens/marketing/calls.ts'
import {
  announcementSearch,
  campaignSearch,
  copySearch,
  dealSearch,
  discountSearch,
} from '../screens/marketing/search.ts'
import { deliverySearch, endpointSearch } from '../screens/messages/search.ts'
import { ordersCall } from '../screens/orders/calls.ts'
import { orderSearch } from '../screens/orders/search.ts'
import { promisesCall, timesCall } from '../screens/performance/calls.ts'
import { groupings, performanceParcelsSearch, performanceSearch } from '../screens/performance/search.ts'
import { auditSearch } from '../screens/settings/audit-log/search.ts'
import { calendarSearch } from '../screens/settings/calendar/search.ts'
import { keySearch } from '../screens/settings/keys/search.ts'
import { messageSearch } from '../screens/settings/mail/search.ts'
import { peopleSearch } from '../screens/settings/people/search.ts'
import { shipmentsCall } from '../screens/shipments/calls.ts'
import { shipmentSearch } from '../screens/shipments/search.ts'
import { signInSearch } from '../screens/sign-in/search.ts'
import { page } from './page.ts'

/** The pages that the early script makes calls for, by the pattern of their address. It contains these and none of the others. */
export const pagesWithCalls = {
  // Here without calls, because these names are no shop's.
  '/sign-in': page('sign-in/sign-in', { texts: ['screens/sign-in'], search: signInSearch }),
  '/invitation': page('sign-in/invitation', { texts: ['screens/sign-in'] }),
  '/forgotten': page('sign-in/forgotten', { texts: ['screens/sign-in'] }),
  '/': page('account/no-shop', { texts: ['screens/account'] }),
  '/account': page('account/account', { texts: ['screens/account', 'screens/sign-in'] }),

  '/$slug': page('home/home', {
    search: homeSearch,
    calls: ({ slug, search }) => [attentionCall(slug), figuresCall(slug, search)],
    waitsForCall: true,
  }),
  '/$slug/exceptions': page('exceptions/exceptions', {
    search: exceptionSearch,
    calls: ({ slug, search }) => [exceptionsCall(slug, search), attentionCall(slug)],
  }),
  '/$slug/claims': page('claims/claims', {
    texts: ['screens/claims'],
    search: claimSearch,
    calls: ({ slug, search }) => [claimsCall(slug, search)],
  }),
  '/$slug/claims/$uuid': page('claims/claims', {
    texts: ['screens/claims'],
    search: claimSearch,
    calls: ({ slug, id, search }) => [
      claimsCall(slug, search),
      call('/v1/shops/{slug}/claims/{uuid}', { params: { path: { slug, uuid: id } } }),
    ],
  }),
  '/$slug/claims/reasons': page('claims/reasons', {
    texts: ['screens/claims'],
    search: reasonSearch,
    calls: ({ slug, search }) => [reasonsCall(slug, search)],
  }),
  '/$slug/orders': page('orders/orders', {
    search: orderSearch,
    calls: ({ slug, search }) => [ordersCall(slug, search)],
  }),
  '/$slug/orders/$orderId': page('orders/order', {
    calls: ({ slug, id }) => [
      call('/v1/shops/{slug}/orders/{order_id}', { params: { path: { slug, order_id: id } } }),
      call('/v1/shops/{slug}/orders/{order_id}/timeline', { params: { path: { slug, order_id: id } } }),
    ],
  }),
  '/$slug/shipments': page('shipments/shipments', {
    search: shipmentSearch,
    calls: ({ slug, search }) => [shipmentsCall(slug, search)],
  }),
  '/$slug/shipments/$shipmentId': page('shipments/shipment', {
    calls: ({ slug, id }) => [
      call('/v1/shops/{slug}/shipments/{shipment_id}', { params: { path: { slug, shipment_id: id } } }),
    ],
  }),
  '/$slug/performance': page('performance/performance', {
    texts: ['screens/performance'],
    search: performanceSearch,
    calls: ({ slug, search }) => [
      timesCall(slug, search, search.group ?? ['carrier']),
      timesCall(slug, { days: search.days }, groupings),
      promisesCall(slug, search),
    ],
    waitsForCall: true,
  }),
  '/$slug/carriers/providers': page('carriers/providers', {
    texts: ['screens/carriers'],
    calls: callsOf('/v1/shops/{slug}/settings/carriers/providers', '/v1/shops/{slug}/settings'),
  }),
  '/$slug/marketing/campaigns': page('marketing/campaigns', {
    texts: ['screens/marketing'],
    search: campaignSearch,
    calls: ({ slug, search }) => [campaignsCall(slug, search), campaignFiguresCall(slug), openTestsCall(slug)],
  }),
  '/$slug/marketing/discounts': page('marketing/discounts', {
    texts: ['screens/marketing'],
    search: discountSearch,
    calls: ({ slug, search }) => [discountsCall(slug, search)],
  }),
  '/$slug/marketing/deals': page('marketing/deals', {
    texts: ['screens/marketing'],
    search: dealSearch,
    calls: ({ slug, search }) => [dealsCall(slug, search)],
  }),
  '/$slug/messages/integrations': page('messages/integrations', {
    texts: ['screens/messages'],
    calls: callsOf('/v1/shops/{slug}/integrations'),
  }),
  '/$slug/messages/triggers': page('messages/triggers', {
    texts: ['screens/messages'],
    calls: callsOf('/v1/shops/{slug}/settings/bundle'),
  }),
  '/$slug/connect': page('connect/connect', {
    texts: ['screens/connect'],
    calls: callsOf(
      '/v1/shops/{slug}/connections',
      '/v1/shops/{slug}/settings/carriers/providers',
      '/v1/shops/{slug}/integrations',
    ),
  }),
  '/$slug/settings/shop': page('settings/shop/shop', {
    texts: ['screens/settings/shop'],
    calls: callsOf('/v1/shops/{slug}/profile'),
  }),
}

/**
 * Every page of the dashboard. The router makes its routes of it, and the service finds out what else to send with a page.
 * The code that loads the screens is in `screens.ts`, because the early script has to stay small.
 */
export const pages = {
  ...pagesWithCalls,
  '/$slug/performance/parcels': page('performance/parcels', {
    texts: ['screens/performance'],
    search: performanceParcelsSearch,
  }),
  '/$slug/imports': page('imports/imports', { texts: ['screens/imports'], search: listSearch }),
  '/$slug/imports/$importId': page('imports/import', { texts: ['screens/imports'], search: reportSearch }),
  '/$slug/sandbox': page('sandbox/sandbox', { texts: ['screens/carriers', 'screens/sandbox'] }),
  '/$slug/sandbox/$orderId': page('sandbox/journey', { texts: ['screens/carriers', 'screens/sandbox'] }),
  '/$slug/carriers/providers/$provider': page('carriers/provider', { texts: ['screens/carriers'] }),
  '/$slug/carriers/codes': page('carriers/codes', { texts: ['screens/carriers'], search: codeSearch }),
  '/$slug/carriers/detect': page('carriers/detect', { texts: ['screens/carriers'] }),
  '/$slug/marketing/campaigns/$uuid': page('marketing/campaign', { texts: ['screens/marketing'], search: copySearch }),
  '/$slug/marketing/discounts/$uuid': page('marketing/discount', { texts: ['screens/marketing'] }),
  '/$slug/marketing/deals/$uuid': page('marketing/deal', { texts: ['screens/marketing'] }),
  '/$slug/marketing/announcements': page('marketing/announcements', {
    texts: ['screens/marketing'],
    search: announcementSearch,
  }),
  '/$slug/marketing/announcements/$uuid': page('marketing/announcement', { texts: ['screens/marketing'] }),
  '/$slug/marketing/ab-tests': page('ab-tests/ab-tests', { texts: ['screens/ab-tests'], search: abTestSearch }),
  '/$slug/marketing/ab-tests/new': page('ab-tests/new-ab-test', { texts: ['screens/ab-tests'] }),
  '/$slug/marketing/ab-tests/$uuid': page('ab-tests/ab-test', { texts: ['screens/ab-tests'] }),
  '/$slug/marketing/automations': page('automations/automations', {
    texts: ['app/conditions', 'screens/automations'],
    search: automationSearch,
  }),
  '/$slug/marketing/automations/new': page('automations/automation', {
    texts: ['app/conditions', 'screens/automations'],
    search: newAutomationSearch,
  }),
  '/$slug/marketing/automations/$automationId': page('automations/automation', {
    texts: ['app/conditions', 'screens/automations'],
    search: automationSearch,
  }),
  '/$slug/messages/webhooks': page('messages/webhooks', {
    texts: ['app/conditions', 'screens/messages'],
    search: endpointSearch,
  }),
  '/$slug/messages/webhooks/$uuid': page('messages/webhook', {
    texts: ['app/conditions', 'screens/messages'],
    search: deliverySearch,
  }),
  '/$slug/messages/deliveries/$deliveryId': page('messages/delivery', { texts: ['screens/messages'] }),
  '/$slug/messages/integrations/$integration': page('messages/integration', {
    texts: ['screens/messages'],
    search: deliverySearch,
  }),
  '/$slug/messages/triggers/$integration/$triggerId': page('messages/trigger', { texts: ['screens/messages'] }),
  '/$slug/connect/shopify': page('connect/shopify', { texts: ['screens/connect'], search: connectSearch }),
  '/$slug/connect/woocommerce': page('connect/woocommerce', { texts: ['screens/connect'], search: connectSearch }),
  '/$slug/connect/shopware': page('connect/shopware', { texts: ['screens/connect'], search: connectSearch }),
  '/$slug/connect/providers/$name': page('connect/provider', { texts: ['screens/connect'], search: connectSearch }),
  '/$slug/connect/smtp': page('connect/smtp', {
    texts: ['screens/connect', 'screens/messages'],
    search: connectSearch,
  }),
  '/$slug/connect/marketing/$name': page('connect/marketing', {
    texts: ['screens/connect', 'screens/messages'],
    search: connectSearch,
  }),
  '/$slug/settings/palette': page('settings/palette/palette', { texts: ['screens/settings/palette'] }),
  '/$slug/settings/mail': page('settings/mail/mail', { texts: ['screens/settings/mail'] }),
  '/$slug/settings/mail/addresses': page('settings/mail/addresses', {
    texts: ['screens/settings/mail'],
    search: listSearch,
  }),
  '/$slug/settings/mail/$group': page('settings/mail/message', {
    texts: ['screens/marketing', 'screens/settings/mail'],
    search: messageSearch,
  }),
  '/$slug/settings/mappings': page('settings/mappings/mappings', { texts: ['screens/settings/mappings'] }),
  '/$slug/settings/calendar': page('settings/calendar/calendar', {
    texts: ['screens/settings/calendar'],
    search: calendarSearch,
  }),
  '/$slug/settings/promises': page('settings/promises/promises', {
    texts: ['screens/settings/calendar', 'screens/settings/promises'],
  }),
  '/$slug/settings/embedding': page('settings/embedding/embedding', { texts: ['screens/settings/embedding'] }),
  '/$slug/settings/withdrawal': page('settings/withdrawal/withdrawal', {
    texts: ['screens/settings/shop', 'screens/settings/withdrawal'],
  }),
  '/$slug/settings/team-mail': page('settings/team-mail/team-mail', { texts: ['screens/settings/team-mail'] }),
  '/$slug/settings/people': page('settings/people/people', {
    texts: ['screens/settings/people'],
    search: peopleSearch,
  }),
  '/$slug/settings/keys': page('settings/keys/keys', {
    texts: ['screens/settings/keys', 'screens/settings/people'],
    search: keySearch,
  }),
  '/$slug/settings/audit-log': page('settings/audit-log/audit-log', {
    texts: ['screens/settings/audit-log'],
    search: auditSearch,
  }),
  '/$slug/settings/privacy': page('settings/privacy/privacy', { texts: ['screens/settings/privacy'] }),
  '/$slug/settings/status': page('settings/status/status', { texts: ['screens/settings/status'] }),
}

/** The pattern of a page's address: `/$slug/orders/$orderId`. */
export type Pattern = keyof typeof pages

/** The pattern that an address has; a name is more than a place for any. */
export function patternOf<Name extends string>(path: string, table: Readonly<Record<Name, unknown>>): Name | undefined {
  const parts = partsOf(path)
  const patterns = Object.keys(table) as Name[] // its own names
  const fitting = patterns.filter((pattern) => fits(parts, partsOf(pattern)))
  return fitting.toSorted((left, right) => places(left) - places(right))[0]
}

/** The parts of an address between its slashes. */
export function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

function fits(parts: readonly string[], pattern: readonly string[]): boolean {
  return parts.length === pattern.length && pattern.every((name, at) => name.startsWith('$') || name === parts[at])
}

function places(pattern: string): number {
  return pattern.split('$').length
}
