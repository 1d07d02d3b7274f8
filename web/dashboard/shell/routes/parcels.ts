import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../kit/list/search.ts'
import { claimSearch, reasonSearch } from '../../screens/claims/search.ts'
import { exceptionSearch } from '../../screens/exceptions/search.ts'
import { homeSearch } from '../../screens/home/search.ts'
import { reportSearch } from '../../screens/imports/search.ts'
import { orderSearch } from '../../screens/orders/search.ts'
import { performanceParcelsSearch, performanceSearch } from '../../screens/performance/search.ts'
import { shipmentSearch } from '../../screens/shipments/search.ts'
import { afterLaterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

const home = createRoute({
  getParentRoute: () => shop,
  path: '/',
  validateSearch: homeSearch,
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
  component: lazyRouteComponent(
    afterLaterTexts(() => import('../../screens/claims/claims.tsx')),
    'Claims',
  ),
})

const claim = createRoute({ getParentRoute: () => claims, path: '/$uuid' })

const claimReasons = createRoute({
  getParentRoute: () => shop,
  path: '/claims/reasons',
  validateSearch: reasonSearch,
  component: lazyRouteComponent(
    afterLaterTexts(() => import('../../screens/claims/reasons.tsx')),
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
    afterLaterTexts(() => import('../../screens/imports/imports.tsx')),
    'Imports',
  ),
})

const importReport = createRoute({
  getParentRoute: () => shop,
  path: '/imports/$importId',
  validateSearch: reportSearch,
  component: lazyRouteComponent(
    afterLaterTexts(() => import('../../screens/imports/import.tsx')),
    'ImportPage',
  ),
})

const sandbox = createRoute({
  getParentRoute: () => shop,
  path: '/sandbox',
  component: lazyRouteComponent(
    afterLaterTexts(() => import('../../screens/sandbox/sandbox.tsx')),
    'Sandbox',
  ),
})

const journey = createRoute({
  getParentRoute: () => shop,
  path: '/sandbox/$orderId',
  component: lazyRouteComponent(
    afterLaterTexts(() => import('../../screens/sandbox/journey.tsx')),
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
