import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { instant, Nullable } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { announceOffers } from '../../shops/offer-versions/store.ts'
import { type CampaignView, toCampaign } from '../campaigns/present.ts'
import { campaignNotFound } from '../campaigns/rules.ts'
import { findCampaigns, type StoredCampaign } from '../campaigns/store.ts'
import { toResults } from './results.ts'
import { countResults } from './results-store.ts'
import { checkTest, checkVariant, testNotFound, testStatusOf } from './rules.ts'
import { AbTest, AbTestCreation, AbTestResults, type AbTestCreation as Creation } from './schema.ts'
import { endTest, findOverlap, findTest, insertTest, listTests, type StoredTest } from './store.ts'

export const createAbTest = operation({
  name: 'createAbTest',
  summary: 'Create an A/B test',
  description:
    'While it runs it decides, for its segment and campaign type, which of its campaigns a customer is shown, whether they are enabled or not. The first variant of a customer never changes.',
  area: 'A/B tests',
  route: 'POST /v1/shops/{slug}/ab-tests',
  needs: 'editor',
  body: AbTestCreation,
  reply: AbTest,
  errors: ['campaign_not_found', 'campaign_type_invalid', 'a_b_test_overlap'],
  audit: { kind: 'ab_test', read: findTest },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const test = newTest(context, body)
      checkTest(body, { start: test.start_date, end: test.end_date })
      const campaigns = await findCampaigns(
        context,
        test.variants.map(({ campaignId }) => campaignId),
      )
      for (const [index, { campaignId }] of test.variants.entries()) {
        const campaign = campaigns.get(campaignId)
        if (campaign === undefined || campaign.deleted_at !== null) throw campaignNotFound(campaignId)
        checkVariant(body, index, campaign)
      }
      const other = await findOverlap(context, test)
      if (other !== undefined) {
        throw new ApiError(
          'a_b_test_overlap',
          `The A/B test ${JSON.stringify(other.name)} has the segment ${JSON.stringify(test.segment)} in this period. End it, or choose another period.`,
        )
      }
      await insertTest(context, test)
      return created(`/v1/shops/${context.shop.slug}/ab-tests/${test.id}`, toTest(context, test, campaigns))
    }),
})

export const searchAbTests = operation({
  name: 'listAbTests',
  summary: 'List A/B tests',
  description: 'Newest first.',
  area: 'A/B tests',
  route: 'GET /v1/shops/{slug}/ab-tests',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(AbTest),
  async handle(context, { query }) {
    const page = await listTests(context, pageRequest(query))
    const ids = page.items.flatMap(({ variants }) => variants.map(({ campaignId }) => campaignId))
    const campaigns = await findCampaigns(context, ids)
    return { ...page, items: page.items.map((test) => toTest(context, test, campaigns)) }
  },
})

export const getAbTest = operation({
  name: 'getAbTest',
  summary: 'Get an A/B test',
  area: 'A/B tests',
  route: 'GET /v1/shops/{slug}/ab-tests/{uuid}',
  needs: 'superadmin',
  reply: Nullable(AbTest),
  errors: ['a_b_test_not_found'],
  async handle(context, { path }) {
    return show(context, await getTest(context, path.uuid))
  },
})

export const endAbTest = operation({
  name: 'endAbTest',
  summary: 'End an A/B test',
  description:
    'No more customers are assigned. Customers who have been shown a variant see it until the planned end of the test. Ending a completed test changes nothing.',
  area: 'A/B tests',
  route: 'POST /v1/shops/{slug}/ab-tests/{uuid}/end-test',
  needs: 'editor',
  reply: Nullable(AbTest),
  errors: ['a_b_test_not_found'],
  audit: { kind: 'ab_test', read: findTest },
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const test = await getTest(context, path.uuid)
      const status = testStatusOf({ start: test.start_date, end: test.end_date }, test.ended_at, context.now)
      if (status !== 'completed') await endTest(context, test.id)
      return show(context, await getTest(context, test.id))
    }),
})

export const getAbTestResults = operation({
  name: 'getAbTestResults',
  summary: 'Get the results of an A/B test',
  description:
    'An order counts for its customer where order analytics attribute it to the tracking page (source trackpages), it was placed after the first exposure and before the end of the test, and it does not name another campaign of the test. The customer is that of the order, or of the order that reference_order_id names.',
  area: 'A/B tests',
  route: 'GET /v1/shops/{slug}/ab-tests/{uuid}/results',
  reads: 'replica',
  needs: 'viewer',
  reply: AbTestResults,
  errors: ['a_b_test_not_found'],
  async handle(context, { path }) {
    const test = await getTest(context, path.uuid)
    const campaigns = await findCampaigns(
      context,
      test.variants.map(({ campaignId }) => campaignId),
    )
    const names = new Map([...campaigns].map(([id, { name }]) => [id, name]))
    return toResults(context, test, names, await countResults(context, test, names))
  },
})

function newTest(context: ShopContext, body: Creation): StoredTest {
  return {
    shop_id: context.shop.id,
    id: newId(context.now),
    name: body.name,
    segment: body.segment,
    campaign_type: body.campaign_type,
    has_holdout: body.has_holdout ?? false,
    holdout_percentage: body.holdout_percentage ?? null,
    start_date: body.start_date ? instant(body.start_date) : context.now,
    end_date: body.end_date ? instant(body.end_date) : null,
    ended_at: null,
    created_at: context.now,
    updated_at: context.now,
    variants: body.campaigns.map(({ campaign_id, allocation }) => ({
      campaignId: campaign_id.toLowerCase(),
      allocation,
    })),
  }
}

async function getTest(context: ShopContext, id: string): Promise<StoredTest> {
  const test = await findTest(context, id)
  if (test === undefined) throw testNotFound(id)
  return test
}

async function show(context: ShopContext, test: StoredTest): Promise<AbTest> {
  const ids = test.variants.map(({ campaignId }) => campaignId)
  return toTest(context, test, await findCampaigns(context, ids))
}

function toTest(view: CampaignView, test: StoredTest, campaigns: ReadonlyMap<string, StoredCampaign>): AbTest {
  return {
    uuid: test.id,
    shop_slug: view.shop.slug,
    name: test.name,
    segment: test.segment,
    campaign_type: test.campaign_type,
    status: testStatusOf({ start: test.start_date, end: test.end_date }, test.ended_at, view.now),
    campaigns: test.variants.flatMap(({ campaignId, allocation }) => {
      const campaign = campaigns.get(campaignId)
      return campaign ? [{ campaign_id: campaignId, allocation, ...toCampaign(view, campaign) }] : []
    }),
    has_holdout: test.has_holdout,
    holdout_percentage: test.holdout_percentage,
    start_date: test.start_date.toISOString(),
    end_date: test.end_date?.toISOString() ?? null,
    ended_at: test.ended_at?.toISOString() ?? null,
    created_at: test.created_at.toISOString(),
    updated_at: test.updated_at.toISOString(),
  }
}
