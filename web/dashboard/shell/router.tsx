import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '../kit/list/search.ts'
import { LoadingPage, NotFoundPage, ProblemPage } from './pages.tsx'
import { routeTree } from './routes.ts'

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
