import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { connectSearch } from '../../screens/connect/search.ts'
import { afterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

const connect = createRoute({
  getParentRoute: () => shop,
  path: '/connect',
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/connect.tsx')),
    'Connect',
  ),
})

const connectShopify = createRoute({
  getParentRoute: () => shop,
  path: '/connect/shopify',
  validateSearch: connectSearch,
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/shopify.tsx')),
    'Shopify',
  ),
})

const connectWooCommerce = createRoute({
  getParentRoute: () => shop,
  path: '/connect/woocommerce',
  validateSearch: connectSearch,
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/woocommerce.tsx')),
    'WooCommerce',
  ),
})

const connectShopware = createRoute({
  getParentRoute: () => shop,
  path: '/connect/shopware',
  validateSearch: connectSearch,
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/shopware.tsx')),
    'Shopware',
  ),
})

const connectProvider = createRoute({
  getParentRoute: () => shop,
  path: '/connect/providers/$name',
  validateSearch: connectSearch,
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/provider.tsx')),
    'Provider',
  ),
})

const connectSmtp = createRoute({
  getParentRoute: () => shop,
  path: '/connect/smtp',
  validateSearch: connectSearch,
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/smtp.tsx')),
    'Smtp',
  ),
})

const connectMarketing = createRoute({
  getParentRoute: () => shop,
  path: '/connect/marketing/$name',
  validateSearch: connectSearch,
  component: lazyRouteComponent(
    afterTexts('connect', () => import('../../screens/connect/marketing.tsx')),
    'Marketing',
  ),
})

/** The guides that connect a shop, a provider, a marketing system or a mail account. */
export const connectRoutes = [
  connect,
  connectShopify,
  connectWooCommerce,
  connectShopware,
  connectProvider,
  connectSmtp,
  connectMarketing,
] as const
