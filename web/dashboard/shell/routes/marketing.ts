import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { abTestSearch } from '../../screens/ab-tests/search.ts'
import { automationSearch, newAutomationSearch } from '../../screens/automations/search.ts'
import {
  announcementSearch,
  campaignSearch,
  copySearch,
  dealSearch,
  discountSearch,
} from '../../screens/marketing/search.ts'
import { afterTexts } from '../../texts/texts.ts'
import { shop } from './entry.ts'

const marketing = createRoute({
  getParentRoute: () => shop,
  path: '/marketing',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$slug/marketing/campaigns', params })
  },
})

const abTests = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/ab-tests',
  validateSearch: abTestSearch,
  component: lazyRouteComponent(
    afterTexts('ab-tests', () => import('../../screens/ab-tests/ab-tests.tsx')),
    'AbTests',
  ),
})

const newAbTest = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/ab-tests/new',
  component: lazyRouteComponent(
    afterTexts('ab-tests', () => import('../../screens/ab-tests/new-ab-test.tsx')),
    'NewAbTest',
  ),
})

const abTest = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/ab-tests/$uuid',
  component: lazyRouteComponent(
    afterTexts('ab-tests', () => import('../../screens/ab-tests/ab-test.tsx')),
    'AbTest',
  ),
})

const automations = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/automations',
  validateSearch: automationSearch,
  component: lazyRouteComponent(
    afterTexts('automations', () => import('../../screens/automations/automations.tsx')),
    'Automations',
  ),
})

const newAutomation = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/automations/new',
  validateSearch: newAutomationSearch,
  component: lazyRouteComponent(
    afterTexts('automations', () => import('../../screens/automations/automation.tsx')),
    'NewAutomation',
  ),
})

const automation = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/automations/$automationId',
  validateSearch: automationSearch,
  component: lazyRouteComponent(
    afterTexts('automations', () => import('../../screens/automations/automation.tsx')),
    'Automation',
  ),
})

const campaigns = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/campaigns',
  validateSearch: campaignSearch,
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/campaigns.tsx')),
    'Campaigns',
  ),
})

const campaign = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/campaigns/$uuid',
  validateSearch: copySearch,
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/campaign.tsx')),
    'Campaign',
  ),
})

const discounts = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/discounts',
  validateSearch: discountSearch,
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/discounts.tsx')),
    'Discounts',
  ),
})

const discount = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/discounts/$uuid',
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/discount.tsx')),
    'Discount',
  ),
})

const deals = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/deals',
  validateSearch: dealSearch,
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/deals.tsx')),
    'Deals',
  ),
})

const deal = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/deals/$uuid',
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/deal.tsx')),
    'Deal',
  ),
})

const announcements = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/announcements',
  validateSearch: announcementSearch,
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/announcements.tsx')),
    'Announcements',
  ),
})

const announcement = createRoute({
  getParentRoute: () => shop,
  path: '/marketing/announcements/$uuid',
  component: lazyRouteComponent(
    afterTexts('marketing', () => import('../../screens/marketing/announcement.tsx')),
    'Announcement',
  ),
})

/** A/B tests, automations, campaigns, discounts, deals and announcements. */
export const marketingRoutes = [
  marketing,
  abTests,
  newAbTest,
  abTest,
  automations,
  newAutomation,
  automation,
  campaigns,
  campaign,
  discounts,
  discount,
  deals,
  deal,
  announcements,
  announcement,
] as const
