import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { mayActAs, roleIn, sessionQuery } from '../app/session.ts'
import { parseSearch, stringifySearch } from '../kit/list/search.ts'
import { exceptionSearch } from '../screens/exceptions/search.ts'
import { homeSearch } from '../screens/home/search.ts'
import { deliverySearch, endpointSearch } from '../screens/messages/search.ts'
import { orderSearch } from '../screens/orders/search.ts'
import { auditSearch } from '../screens/settings/audit-log/search.ts'
import { keySearch } from '../screens/settings/keys/search.ts'
import { peopleSearch } from '../screens/settings/people/search.ts'
import { shipmentSearch } from '../screens/shipments/search.ts'
import { signInSearch } from '../screens/sign-in/search.ts'
import { Frame, Root } from './frame.tsx'
import { LoadingPage, NotFoundPage, ProblemPage } from './pages.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFoundPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in.tsx'), 'SignIn'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../screens/sign-in/invitation.tsx'), 'Invitation'),
})

/** Everything below needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location }) {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
    return { session }
  },
  component: Frame,
})

/** `/dashboard`: the shop used last, or the first one. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad({ context: { session } }) {
    const last = localStorage.getItem('doorstep.shop')
    const shop = session.shops.find(({ slug }) => slug === last) ?? session.shops[0]
    if (shop) throw redirect({ to: '/$slug', params: { slug: shop.slug } })
  },
  component: lazyRouteComponent(() => import('../screens/account/no-shop.tsx'), 'NoShop'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../screens/account/account.tsx'), 'Account'),
})

const shop = createRoute({
  getParentRoute: () => signedIn,
  path: '/$slug',
  beforeLoad: ({ params }) => localStorage.setItem('doorstep.shop', params.slug),
})

const home = createRoute({
  getParentRoute: () => shop,
  path: '/',
  validateSearch: homeSearch,
  component: lazyRouteComponent(() => import('../screens/home/home.tsx'), 'Home'),
})

const exceptions = createRoute({
  getParentRoute: () => shop,
  path: '/exceptions',
  validateSearch: exceptionSearch,
  component: lazyRouteComponent(() => import('../screens/exceptions/exceptions.tsx'), 'Exceptions'),
})

const orders = createRoute({
  getParentRoute: () => shop,
  path: '/orders',
  validateSearch: orderSearch,
  component: lazyRouteComponent(() => import('../screens/orders/orders.tsx'), 'Orders'),
})

const order = createRoute({
  getParentRoute: () => shop,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('../screens/orders/order.tsx'), 'Order'),
})

const shipments = createRoute({
  getParentRoute: () => shop,
  path: '/shipments',
  validateSearch: shipmentSearch,
  component: lazyRouteComponent(() => import('../screens/shipments/shipments.tsx'), 'Shipments'),
})

const shipment = createRoute({
  getParentRoute: () => shop,
  path: '/shipments/$shipmentId',
  component: lazyRouteComponent(() => import('../screens/shipments/shipment.tsx'), 'Shipment'),
})

const messages = createRoute({
  getParentRoute: () => shop,
  path: '/messages',
  beforeLoad: ({ params, context }) => {
    const seesWebhooks = mayActAs(roleIn(context.session, params.slug) ?? 'viewer', 'admin')
    throw redirect({ to: seesWebhooks ? '/$slug/messages/webhooks' : '/$slug/messages/integrations', params })
  },
})

const webhooks = createRoute({
  getParentRoute: () => shop,
  path: '/messages/webhooks',
  validateSearch: endpointSearch,
  component: lazyRouteComponent(() => import('../screens/messages/webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  getParentRoute: () => shop,
  path: '/messages/webhooks/$uuid',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('../screens/messages/webhook.tsx'), 'Webhook'),
})

const delivery = createRoute({
  getParentRoute: () => shop,
  path: '/messages/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('../screens/messages/delivery.tsx'), 'Delivery'),
})

const integrations = createRoute({
  getParentRoute: () => shop,
  path: '/messages/integrations',
  component: lazyRouteComponent(() => import('../screens/messages/integrations.tsx'), 'Integrations'),
})

const integration = createRoute({
  getParentRoute: () => shop,
  path: '/messages/integrations/$integration',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('../screens/messages/integration.tsx'), 'Integration'),
})

const triggers = createRoute({
  getParentRoute: () => shop,
  path: '/messages/triggers',
  component: lazyRouteComponent(() => import('../screens/messages/triggers.tsx'), 'Triggers'),
})

const trigger = createRoute({
  getParentRoute: () => shop,
  path: '/messages/triggers/$integration/$triggerId',
  component: lazyRouteComponent(() => import('../screens/messages/trigger.tsx'), 'Trigger'),
})

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
  component: lazyRouteComponent(() => import('../screens/settings/shop/shop.tsx'), 'ShopSettings'),
})

const palette = createRoute({
  getParentRoute: () => shop,
  path: '/settings/palette',
  component: lazyRouteComponent(() => import('../screens/settings/palette/palette.tsx'), 'PaletteSettings'),
})

const mappings = createRoute({
  getParentRoute: () => shop,
  path: '/settings/mappings',
  component: lazyRouteComponent(() => import('../screens/settings/mappings/mappings.tsx'), 'Mappings'),
})

const people = createRoute({
  getParentRoute: () => shop,
  path: '/settings/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import('../screens/settings/people/people.tsx'), 'People'),
})

const keys = createRoute({
  getParentRoute: () => shop,
  path: '/settings/keys',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('../screens/settings/keys/keys.tsx'), 'Keys'),
})

const auditLog = createRoute({
  getParentRoute: () => shop,
  path: '/settings/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../screens/settings/audit-log/audit-log.tsx'), 'AuditLog'),
})

const privacy = createRoute({
  getParentRoute: () => shop,
  path: '/settings/privacy',
  component: lazyRouteComponent(() => import('../screens/settings/privacy/privacy.tsx'), 'Privacy'),
})

const routeTree = root.addChildren([
  signIn,
  invitation,
  signedIn.addChildren([
    start,
    account,
    shop.addChildren([
      home,
      exceptions,
      orders,
      order,
      shipments,
      shipment,
      messages,
      webhooks,
      webhook,
      delivery,
      integrations,
      integration,
      triggers,
      trigger,
      settings,
      shopSettings,
      palette,
      mappings,
      people,
      keys,
      auditLog,
      privacy,
    ]),
  ]),
])

/** Every page of the dashboard. Screens load when they are opened; links load them as soon as they are pointed at. */
export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 100,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ProblemPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
