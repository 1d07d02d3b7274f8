import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  type ResolveFullPath,
  type ResolveId,
  type Route,
  redirect,
} from '@tanstack/react-router'
import { read } from '../app/api.ts'
import { atOnce } from '../app/at-once.ts'
import { type Destination, destinations } from '../app/navigation.ts'
import { mayActAs, roleIn, sessionQuery } from '../app/session.ts'
import type { RawSearch } from '../kit/list/search.ts'
import { type Pattern, pages } from '../routes/pages.ts'
import { screens } from '../routes/screens.ts'
import { prepareDesk } from '../screens/claims/prepare.ts'
import { claimSearch } from '../screens/claims/search.ts'
import { afterTexts } from '../texts/texts.ts'
import { Frame, Root } from './frame.tsx'
import { NotFoundPage } from './pages.tsx'

interface Context {
  queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: NotFoundPage,
})

/** All routes below need a signed-in caller. */
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
  component: componentOf('/'),
})

const account = createRoute({ getParentRoute: () => signedIn, path: '/account', component: componentOf('/account') })

const shop = createRoute({
  getParentRoute: () => signedIn,
  path: '/$slug',
  beforeLoad: ({ params }) => localStorage.setItem('doorstep.shop', params.slug),
})

/** A page that nobody needs to sign in for. */
function publicRoute<Path extends Pattern>(path: Path) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: searchOf(path),
    component: componentOf(path),
  })
}

/** A page of the shop. */
function shopRoute(pattern: ShopPattern): AnyRoute {
  return createRoute({
    getParentRoute: () => shop,
    path: pattern.slice('/$slug'.length) || '/',
    validateSearch: searchOf(pattern),
    loader: pages[pattern].waitsForCall ? loaderOf(pattern) : undefined,
    component: componentOf(pattern),
  })
}

const desk = ['/$slug/claims', '/$slug/claims/$uuid'] as const

/** The queue stays as it is while one claim after the other is opened beside it. */
const claims = createRoute({
  getParentRoute: () => shop,
  path: '/claims',
  validateSearch: searchOf('/$slug/claims'),
  loader: ({ context: { queryClient }, params: { slug }, location }) =>
    prepareDesk(queryClient, slug, claimSearch(location.search)),
  component: componentOf('/$slug/claims'),
})

const claim = createRoute({ getParentRoute: () => claims, path: '/$uuid' })

/** A destination with pages below it leads to the first of them that the reader may use. */
function entrance({ to, children = [] }: Destination) {
  return createRoute({
    getParentRoute: () => shop,
    path: to.slice('/$slug'.length),
    beforeLoad: ({ params, context: { session } }) => {
      const role = roleIn(session, params.slug) ?? 'viewer'
      const first = children.find(({ needs }) => mayActAs(role, needs))
      throw redirect({ to: first?.to ?? '/$slug', params })
    },
  })
}

type ShopPattern = Exclude<Extract<Pattern, `/$slug${string}`>, (typeof desk)[number]>
type BelowShop<Path> = Path extends '/$slug' ? '/' : Path extends `/$slug${infer Rest}` ? Rest : never
type SearchOf<Path extends Pattern> = NonNullable<(typeof pages)[Path]['search']>
type ShopRoute<Path extends ShopPattern> = Route<
  unknown,
  typeof shop,
  BelowShop<Path>,
  ResolveFullPath<typeof shop, BelowShop<Path>>,
  string,
  ResolveId<typeof shop, string, BelowShop<Path>>,
  SearchOf<Path>
>
type ShopRoutes = { [Path in ShopPattern]: ShopRoute<Path> }

/** Undefined if a page has no state in its address: its type promises that it then reads none. */
function searchOf<Path extends Pattern>(pattern: Path): SearchOf<Path> {
  return pages[pattern].search as SearchOf<Path>
}

function componentOf(pattern: Pattern) {
  const { screen, texts } = pages[pattern]
  const { load, name } = screens[screen]
  return lazyRouteComponent(afterTexts(texts, load), name)
}

/** Draws the page with what the first of its calls returns. */
function loaderOf(pattern: Pattern) {
  return ({ context, params, location }: Loading) => {
    const [first] = pages[pattern].calls({ slug: params.slug, id: '', search: location.search as RawSearch }) // as parsed
    return first && atOnce(context.queryClient, read(first[0] as '/v1/session', first[1] as object)) // checked when it was made
  }
}

interface Loading {
  context: Context
  params: { slug: string }
  location: { search: object }
}

function isOfShop(pattern: string): pattern is ShopPattern {
  return pattern.startsWith('/$slug') && !desk.some((other) => other === pattern)
}

// Each page of the table has its route: that is what the type says.
const shopRoutes = Object.fromEntries(
  Object.keys(pages)
    .filter(isOfShop)
    .map((pattern) => [pattern, shopRoute(pattern)]),
) as ShopRoutes

const ofShop = { ...shopRoutes, claims: claims.addChildren([claim]) }
const entrances = destinations.filter(({ children }) => children !== undefined).map(entrance)

export const routeTree = root.addChildren([
  publicRoute('/sign-in'),
  publicRoute('/invitation'),
  publicRoute('/forgotten'),
  signedIn.addChildren([
    start,
    account,
    // No link names an entrance, so the types of links do without.
    shop.addChildren({ ...ofShop, ...entrances } as typeof ofShop),
  ]),
])
