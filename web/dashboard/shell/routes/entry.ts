import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../../app/session.ts'
import { signInSearch } from '../../screens/sign-in/search.ts'
import { Frame, Root } from '../frame.tsx'
import { NotFoundPage } from '../pages.tsx'

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFoundPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('../../screens/sign-in/sign-in.tsx'), 'SignIn'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../../screens/sign-in/invitation.tsx'), 'Invitation'),
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/forgotten',
  component: lazyRouteComponent(() => import('../../screens/sign-in/forgotten.tsx'), 'Forgotten'),
})

/** Everything below needs somebody who is signed in. */
export const signedIn = createRoute({
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
  component: lazyRouteComponent(() => import('../../screens/account/no-shop.tsx'), 'NoShop'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../../screens/account/account.tsx'), 'Account'),
})

export const shop = createRoute({
  getParentRoute: () => signedIn,
  path: '/$slug',
  beforeLoad: ({ params }) => localStorage.setItem('doorstep.shop', params.slug),
})

export const publicRoutes = [signIn, invitation, forgotten] as const

/** Of somebody who is signed in, outside a shop. */
export const accountRoutes = [start, account] as const
