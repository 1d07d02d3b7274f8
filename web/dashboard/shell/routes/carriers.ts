import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { codeSearch } from '../../screens/carriers/search.ts'
import { afterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

const carriers = createRoute({
  getParentRoute: () => shop,
  path: '/carriers',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$slug/carriers/providers', params })
  },
})

const providers = createRoute({
  getParentRoute: () => shop,
  path: '/carriers/providers',
  component: lazyRouteComponent(
    afterTexts('carriers', () => import('../../screens/carriers/providers.tsx')),
    'Providers',
  ),
})

const provider = createRoute({
  getParentRoute: () => shop,
  path: '/carriers/providers/$provider',
  component: lazyRouteComponent(
    afterTexts('carriers', () => import('../../screens/carriers/provider.tsx')),
    'ProviderPage',
  ),
})

const codes = createRoute({
  getParentRoute: () => shop,
  path: '/carriers/codes',
  validateSearch: codeSearch,
  component: lazyRouteComponent(
    afterTexts('carriers', () => import('../../screens/carriers/codes.tsx')),
    'Codes',
  ),
})

const detect = createRoute({
  getParentRoute: () => shop,
  path: '/carriers/detect',
  component: lazyRouteComponent(
    afterTexts('carriers', () => import('../../screens/carriers/detect.tsx')),
    'Detect',
  ),
})

/** Tracking providers, their codes, and the detection of numbers. */
export const carriersRoutes = [carriers, providers, provider, codes, detect] as const
