import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { read } from '../../app/api.ts'
import { atOnce } from '../../app/at-once.ts'
import { listSearch } from '../../kit/list/search.ts'
import { prepareDesk } from '../../screens/claims/prepare.ts'
import { claimSearch, reasonSearch } from '../../screens/claims/search.ts'
import { exceptionSearch } from '../../screens/exceptions/search.ts'
import { attentionCall } from '../../screens/home/calls.ts'
import { homeSearch } from '../../screens/home/search.ts'
import { reportSearch } from '../../screens/imports/search.ts'
import { orderSearch } from '../../screens/orders/search.ts'
import { timesCall } from '../../screens/performance/calls.ts'
import { performanceParcelsSearch, performanceSearch } from '../../screens/performance/search.ts'
import { shipmentSearch } from '../../screens/shipments/search.ts'
import { afterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

const home = createRoute({
  getParentRoute: () => shop,
  path: '/',
  validateSearch: homeSearch,
  loader: ({ context: { queryClient }, params: { slug } }) => atOnce(queryClient, read(...attentionCall(slug))),
  component: lazyRouteComponent(() => import('../../screens/home/home.tsx'), 'Home'),
})

const exceptions = createRoute({
  getParentRoute: () => shop,
  path: '/exceptions',
  validateSearch: exceptionSearch,
  component: lazyRouteComponent(() => import('../../screens/exceptions/exceptions.tsx'), 'Exceptions'),
})

/** The queue stays as it is while one claim after the other is opened beside it. */
const claims = createRoute({
  getParentRoute: () => shop,
  path: '/claims',
  validateSearch: claimSearch,
  loader: ({ context: { queryClient }, params: { slug }, location }) =>
    prepareDesk(queryClient, slug, claimSearch(location.search)),
  component: lazyRouteComponent(
    afterTexts('claims', () => import('../../screens/claims/claims.tsx')),
    'Claims',
  ),
})

const claim = createRoute({ getParentRoute: () => claims, path: '/$uuid' })

const claimReasons = createRoute({
  getParentRoute: () => shop,
  path: '/claims/reasons',
  validateSearch: reasonSearch,
  component: lazyRouteComponent(
    afterTexts('claims', () => import('../../screens/claims/reasons.tsx')),
    'Reasons',
  ),
})

const orders = createRoute({
  getParentRoute: () => shop,
  path: '/orders',
  validateSearch: orderSearch,
  component: lazyRouteComponent(() => import('../../screens/orders/orders.tsx'), 'Orders'),
})

const order = createRoute({
  getParentRoute: () => shop,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('../../screens/orders/order.tsx'), 'Order'),
})

const shipments = createRoute({
  getParentRoute: () => shop,
  path: '/shipments',
  validateSearch: shipmentSearch,
  component: lazyRouteComponent(() => import('../../screens/shipments/shipments.tsx'), 'Shipments'),
})

const shipment = createRoute({
  getParentRoute: () => shop,
  path: '/shipments/$shipmentId',
  component: lazyRouteComponent(() => import('../../screens/shipments/shipment.tsx'), 'Shipment'),
})

const performance = createRoute({
  getParentRoute: () => shop,
  path: '/performance',
  validateSearch: performanceSearch,
  loader({ context: { queryClient }, params: { slug }, location }) {
    const search = performanceSearch(location.search)
    return atOnce(queryClient, read(...timesCall(slug, search, search.group ?? ['carrier'])))
  },
  component: lazyRouteComponent(() => import('../../screens/performance/performance.tsx'), 'Performance'),
})

const performanceParcels = createRoute({
  getParentRoute: () => shop,
  path: '/performance/parcels',
  validateSearch: performanceParcelsSearch,
  component: lazyRouteComponent(() => import('../../screens/performance/parcels.tsx'), 'PerformanceParcels'),
})

const imports = createRoute({
  getParentRoute: () => shop,
  path: '/imports',
  validateSearch: listSearch,
  component: lazyRouteComponent(
    afterTexts('imports', () => import('../../screens/imports/imports.tsx')),
    'Imports',
  ),
})

const importReport = createRoute({
  getParentRoute: () => shop,
  path: '/imports/$importId',
  validateSearch: reportSearch,
  component: lazyRouteComponent(
    afterTexts('imports', () => import('../../screens/imports/import.tsx')),
    'ImportPage',
  ),
})

const sandbox = createRoute({
  getParentRoute: () => shop,
  path: '/sandbox',
  component: lazyRouteComponent(
    afterTexts('sandbox', () => import('../../screens/sandbox/sandbox.tsx')),
    'Sandbox',
  ),
})

const journey = createRoute({
  getParentRoute: () => shop,
  path: '/sandbox/$orderId',
  component: lazyRouteComponent(
    afterTexts('sandbox', () => import('../../screens/sandbox/journey.tsx')),
    'Journey',
  ),
})

/** What happens to parcels: home, exceptions, claims, orders, figures, imports, the sandbox. */
export const parcelsRoutes = [
  home,
  exceptions,
  claims.addChildren([claim]),
  claimReasons,
  orders,
  order,
  shipments,
  shipment,
  performance,
  performanceParcels,
  imports,
  importReport,
  sandbox,
  journey,
] as const
