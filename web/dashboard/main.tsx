import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isWorthRetrying } from './app/api.ts'
import { forgetEarlyCalls } from './app/early.ts'
import { applyScheme } from './app/scheme.ts'
import { ToastProvider } from './kit/toast.tsx'
import { createDashboardRouter } from './shell/router.tsx'
import { loadTexts } from './texts/texts.ts'

/** How long the first frame may wait for what is on its way. */
const firstFrameMs = 100

applyScheme()
forgetEarlyCalls()
await loadTexts()

const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: isWorthRetrying, refetchOnWindowFocus: true } },
})
const router = createDashboardRouter(queryClient)
// The screen's script is read while the session is awaited, not after.
const [shown] = router.getMatchedRoutes(router.latestLocation.pathname)
for (const route of shown) {
  // A script that fails to load here fails again on its page, which shows the error.
  router.loadRouteChunk(route)?.catch(() => {})
}
const place = document.getElementById('dashboard')
if (place === null) throw new Error('The page has no place for the dashboard.')

// The first frame has all data that has arrived by then: drawing a page twice costs a slow phone a tenth of a second.
// The rest waits with the placeholder of its page.
// A request that fails here fails again on its page, which shows the error.
const loaded = router.load().catch(() => {})
await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, firstFrameMs))])

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
