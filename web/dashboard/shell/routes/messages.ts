import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { mayActAs, roleIn } from '../../app/session.ts'
import { deliverySearch, endpointSearch } from '../../screens/messages/search.ts'
import { afterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

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
  component: lazyRouteComponent(
    afterTexts('messages', () => import('../../screens/messages/webhooks.tsx')),
    'Webhooks',
  ),
})

const webhook = createRoute({
  getParentRoute: () => shop,
  path: '/messages/webhooks/$uuid',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(
    afterTexts('messages', () => import('../../screens/messages/webhook.tsx')),
    'Webhook',
  ),
})

const delivery = createRoute({
  getParentRoute: () => shop,
  path: '/messages/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('../../screens/messages/delivery.tsx'), 'Delivery'),
})

const integrations = createRoute({
  getParentRoute: () => shop,
  path: '/messages/integrations',
  component: lazyRouteComponent(() => import('../../screens/messages/integrations.tsx'), 'Integrations'),
})

const integration = createRoute({
  getParentRoute: () => shop,
  path: '/messages/integrations/$integration',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('../../screens/messages/integration.tsx'), 'Integration'),
})

const triggers = createRoute({
  getParentRoute: () => shop,
  path: '/messages/triggers',
  component: lazyRouteComponent(() => import('../../screens/messages/triggers.tsx'), 'Triggers'),
})

const trigger = createRoute({
  getParentRoute: () => shop,
  path: '/messages/triggers/$integration/$triggerId',
  component: lazyRouteComponent(() => import('../../screens/messages/trigger.tsx'), 'Trigger'),
})

/** Webhook endpoints, integrations and triggers. */
export const messagesRoutes = [
  messages,
  webhooks,
  webhook,
  delivery,
  integrations,
  integration,
  triggers,
  trigger,
] as const
