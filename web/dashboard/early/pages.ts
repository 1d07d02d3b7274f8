import { type Call, call, type GetPath } from '../app/call.ts'
import { listSearch, type RawSearch } from '../kit/list/search.ts'
import { claimsCall, reasonsCall } from '../screens/claims/calls.ts'
import { claimSearch, reasonSearch } from '../screens/claims/search.ts'
import { exceptionsCall } from '../screens/exceptions/calls.ts'
import { exceptionSearch } from '../screens/exceptions/search.ts'
import { attentionCall, figuresCall } from '../screens/home/calls.ts'
import { homeSearch } from '../screens/home/search.ts'
import {
  campaignFiguresCall,
  campaignsCall,
  dealsCall,
  discountsCall,
  openTestsCall,
} from '../screens/marketing/calls.ts'
import { campaignSearch, discountSearch } from '../screens/marketing/search.ts'
import { ordersCall } from '../screens/orders/calls.ts'
import { orderSearch } from '../screens/orders/search.ts'
import { promisesCall, timesCall } from '../screens/performance/calls.ts'
import { groupings, performanceSearch } from '../screens/performance/search.ts'
import { shipmentsCall } from '../screens/shipments/calls.ts'
import { shipmentSearch } from '../screens/shipments/search.ts'

/** Any call; which parameters it may have was checked when it was made. */
export type AnyCall = readonly [path: string, init?: { params?: { path?: object; query?: object } }]

interface Visit {
  slug: string
  /** The last part of the address. */
  id: string
  search: RawSearch
}

/** What pages request of the API first, for every role, by the pattern of their address. Order: as the page needs it. */
const pages: Readonly<Record<string, (visit: Visit) => AnyCall[]>> = {
  '': ({ slug, search }) => [attentionCall(slug), figuresCall(slug, homeSearch(search))],
  exceptions: ({ slug, search }) => [exceptionsCall(slug, exceptionSearch(search)), attentionCall(slug)],
  claims: ({ slug, search }) => [claimsCall(slug, claimSearch(search))],
  'claims/reasons': ({ slug, search }) => [reasonsCall(slug, reasonSearch(search))],
  'claims/*': ({ slug, id, search }) => [
    claimsCall(slug, claimSearch(search)),
    call('/v1/shops/{slug}/claims/{uuid}', { params: { path: { slug, uuid: id } } }),
  ],
  orders: ({ slug, search }) => [ordersCall(slug, orderSearch(search))],
  'orders/*': ({ slug, id }) => {
    const params = { path: { slug, order_id: id } }
    return [
      call('/v1/shops/{slug}/orders/{order_id}', { params }),
      call('/v1/shops/{slug}/orders/{order_id}/timeline', { params }),
    ]
  },
  shipments: ({ slug, search }) => [shipmentsCall(slug, shipmentSearch(search))],
  'shipments/*': ({ slug, id }) => [
    call('/v1/shops/{slug}/shipments/{shipment_id}', { params: { path: { slug, shipment_id: id } } }),
  ],
  performance: ({ slug, search: raw }) => {
    const search = performanceSearch(raw)
    return [
      timesCall(slug, search, search.group ?? ['carrier']),
      timesCall(slug, { days: search.days }, groupings),
      promisesCall(slug, search),
    ]
  },
  'marketing/campaigns': ({ slug, search }) => [
    campaignsCall(slug, campaignSearch(search)),
    campaignFiguresCall(slug),
    openTestsCall(slug),
  ],
  'marketing/discounts': ({ slug, search }) => [discountsCall(slug, discountSearch(search))],
  'marketing/deals': ({ slug, search }) => [dealsCall(slug, listSearch(search))],
  'carriers/providers': of('/v1/shops/{slug}/settings/carriers/providers', '/v1/shops/{slug}/settings'),
  connect: of(
    '/v1/shops/{slug}/connections',
    '/v1/shops/{slug}/settings/carriers/providers',
    '/v1/shops/{slug}/integrations',
  ),
  'messages/integrations': of('/v1/shops/{slug}/integrations'),
  'messages/triggers': of('/v1/shops/{slug}/settings/bundle'),
  'settings/shop': of('/v1/shops/{slug}/profile'),
}

/** Operations that take nothing but the shop. */
function of(...paths: OfShop[]): (visit: Visit) => AnyCall[] {
  return ({ slug }) => paths.map((path) => [path, { params: { path: { slug } } }])
}

type OfShop = {
  [Path in GetPath]: Call<Path> extends [Path, init: infer Init] ? (ByShop extends Init ? Path : never) : never
}[GetPath]
type ByShop = { params: { path: { slug: string } } }

/** The calls that the page at an address makes first; none where that is not known. */
export function callsAt(path: string, search: RawSearch, lastShop: string | null): AnyCall[] {
  const [slug = lastShop ?? '', ...rest] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent)
  const session = call('/v1/session')
  if (slug === '' || slug === 'account') return [session]
  const id = rest.at(-1) ?? ''
  const name = [rest.join('/'), [...rest.slice(0, -1), '*'].join('/')].find((name) => Object.hasOwn(pages, name))
  return [session, ...(name === undefined ? [] : (pages[name]?.({ slug, id, search }) ?? []))]
}
