import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation, PagedQuery } from '../../platform/foundation/operation.ts'
import { PageOf, pageRequest } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { announceOffers } from '../../shops/offer-versions/store.ts'
import { discountNotFound } from '../discounts/schema.ts'
import { lockDiscount } from '../discounts/store.ts'
import { toDeal } from './present.ts'
import { toStoredTranslations } from './rules.ts'
import { Deal, DealCreation, DealFilter, DealRank, DealUpdate } from './schema.ts'
import { deleteDeal, findDeal, insertDeal, listDealsOf, moveDeal, searchDeals, updateDeal } from './store.ts'

const auditedDeal = {
  kind: 'deal',
  named: 'title',
  async read(context: ShopContext, id: string): Promise<object | undefined> {
    const deal = await findDeal(context, id)
    const fields = ['discount_id', 'brand_image_url', 'brand_logo_url', 'cta_url', 'title', 'description'] as const
    return deal && { ...given(deal, fields), translations: deal.translations }
  },
}

const localized = 'Title and description are in the language of Accept-Language, if they are translated.'

export const listAllDeals = operation({
  name: 'listAllDeals',
  summary: 'List the deals of all shops that the key may see',
  description: `Shop by shop, each shop's by rank. ${localized}`,
  area: 'Deals',
  route: 'GET /v1/deals',
  needs: 'viewer',
  query: PagedQuery({}),
  reply: PageOf(Deal),
  async handle(context, { query }) {
    const visible = context.principal.everywhere ? 'all' : [...context.principal.shops.keys()]
    const page = await listDealsOf(context, visible, pageRequest(query))
    return { ...page, items: page.items.map((deal) => toDeal(context, deal)) }
  },
})

export const listShopDeals = operation({
  name: 'listDeals',
  summary: 'List the deals of a shop by rank',
  description: localized,
  area: 'Deals',
  route: 'GET /v1/shops/{slug}/deals',
  needs: 'viewer',
  query: DealFilter,
  reply: PageOf(Deal),
  async handle(context, { query }) {
    const page = await searchDeals(context, query)
    return { ...page, items: page.items.map((deal) => toDeal(context, deal)) }
  },
})

export const createDeal = operation({
  name: 'createDeal',
  summary: 'Create a deal',
  description: 'It becomes the last by rank.',
  area: 'Deals',
  route: 'POST /v1/shops/{slug}/deals',
  needs: 'editor',
  body: DealCreation,
  reply: Deal,
  errors: ['discount_not_found'],
  audit: auditedDeal,
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      await checkDiscount(context, body.discount_id)
      const id = newId(context.now)
      await insertDeal(context, {
        shop_id: context.shop.id,
        id,
        discount_id: body.discount_id,
        brand_image_url: body.brand_image_url ?? null,
        brand_logo_url: body.brand_logo_url ?? null,
        cta_url: body.cta_url ?? null,
        title: body.title ?? null,
        description: body.description ?? null,
        translations: JSON.stringify(toStoredTranslations(body.translations)),
        created_at: context.now,
        updated_at: context.now,
      })
      return created(`/v1/shops/${context.shop.slug}/deals/${id}`, await getDeal(context, id))
    }),
})

export const changeDeal = operation({
  name: 'updateDeal',
  summary: 'Update a deal',
  description:
    'Fields that are absent stay as they are; null empties a field, except for the discount, which is required. Given translations replace all.',
  area: 'Deals',
  route: 'PATCH /v1/shops/{slug}/deals/{deal_id}',
  needs: 'editor',
  body: DealUpdate,
  reply: Deal,
  errors: ['deal_not_found', 'discount_not_found'],
  audit: auditedDeal,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const { discount_id: discountId, translations } = body
      if (discountId) await checkDiscount(context, discountId)
      const isFound = await updateDeal(context, path.deal_id, {
        ...given(body, ['brand_image_url', 'brand_logo_url', 'cta_url', 'title', 'description']),
        ...(discountId ? { discount_id: discountId } : {}),
        ...(translations === undefined ? {} : { translations: JSON.stringify(toStoredTranslations(translations)) }),
        updated_at: context.now,
      })
      if (!isFound) throw notFound(path.deal_id)
      return getDeal(context, path.deal_id)
    }),
})

export const rankDeal = operation({
  name: 'moveDeal',
  summary: 'Move a deal to another rank',
  description: 'The deals in between move by one. A rank after the last one is the last.',
  area: 'Deals',
  route: 'PUT /v1/shops/{slug}/deals/{deal_id}/rank',
  needs: 'editor',
  body: DealRank,
  reply: Deal,
  errors: ['deal_not_found'],
  audit: { ...auditedDeal, id: (_context, { path }) => path.deal_id, read: readRank },
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      if (!(await moveDeal(context, path.deal_id, body.rank))) throw notFound(path.deal_id)
      return getDeal(context, path.deal_id)
    }),
})

export const removeDeal = operation({
  name: 'deleteDeal',
  summary: 'Delete a deal',
  description: 'The deals behind it move up by one rank.',
  area: 'Deals',
  route: 'DELETE /v1/shops/{slug}/deals/{deal_id}',
  needs: 'editor',
  reply: NullReply,
  errors: ['deal_not_found'],
  audit: auditedDeal,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      if (!(await deleteDeal(context, path.deal_id))) throw notFound(path.deal_id)
      return null
    }),
})

async function readRank(context: ShopContext, id: string): Promise<object | undefined> {
  const deal = await findDeal(context, id)
  return deal && given(deal, ['title', 'rank'])
}

async function checkDiscount(context: ShopContext, id: string): Promise<void> {
  if ((await lockDiscount(context, id)) === undefined) throw discountNotFound(id)
}

async function getDeal(context: ShopContext, id: string): Promise<Deal> {
  const deal = await findDeal(context, id)
  if (deal === undefined) throw notFound(id)
  return toDeal(context, deal)
}

function notFound(id: string): ApiError {
  return new ApiError('deal_not_found', `This shop has no deal ${id}.`)
}
