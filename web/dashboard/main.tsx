import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isWorthRetrying } from './app/api.ts'
import { applyScheme } from './app/scheme.ts'
import { ToastProvider } from './kit/toast.tsx'
import { createDashboardRouter } from './shell/router.tsx'
import { loadTexts } from './texts/texts.ts'

applyScheme()
await loadTexts()

const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: isWorthRetrying, refetchOnWindowFocus: true } },
})
const router = createDashboardRouter(queryClient)
const place = document.getElementById('dashboard')
if (place === null) throw new Error('The page has no place for the dashboard.')

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
