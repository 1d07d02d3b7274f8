import { ApiError } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { newId } from '../../platform/foundation/ids.ts'
import { created, operation } from '../../platform/foundation/operation.ts'
import { PageOf } from '../../platform/foundation/page.ts'
import { NullReply } from '../../platform/foundation/schema.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { isDuplicate, isStillReferenced } from '../../platform/store/errors.ts'
import { announceOffers } from '../../shops/offer-versions/store.ts'
import { toDiscount } from './present.ts'
import { Discount, DiscountCreation, DiscountFilter, DiscountUpdate, discountNotFound } from './schema.ts'
import { deleteDiscount, findDiscount, insertDiscount, listDiscounts, updateDiscount } from './store.ts'

const auditedDiscount = { kind: 'discount', named: 'title', read: findDiscount }

export const createDiscount = operation({
  name: 'createDiscount',
  summary: 'Create a discount',
  description:
    'A code is unique in a shop, regardless of case. Any number of discounts may have no code; an empty code counts as none.',
  area: 'Discounts',
  route: 'POST /v1/shops/{slug}/discounts',
  needs: 'editor',
  body: DiscountCreation,
  reply: NullReply,
  errors: ['discount_exists'],
  audit: auditedDiscount,
  async handle(context, { body }) {
    const id = newId(context.now)
    const isNew = await insertDiscount(context, {
      shop_id: context.shop.id,
      id,
      code: body.code || null,
      target_selection: body.target_selection ?? null,
      target_type: body.target_type ?? null,
      title: body.title ?? null,
      value_type: body.value_type ?? null,
      value: body.value ?? null,
      type: body.type,
      created_at: context.now,
      updated_at: context.now,
    })
    if (!isNew) throw exists(body.code)
    return created(`/v1/shops/${context.shop.slug}/discounts/${id}`, null)
  },
})

export const searchDiscounts = operation({
  name: 'searchDiscounts',
  summary: 'Search discounts',
  area: 'Discounts',
  route: 'GET /v1/shops/{slug}/discounts',
  needs: 'viewer',
  query: DiscountFilter,
  reply: PageOf(Discount),
  async handle(context, { query }) {
    const page = await listDiscounts(context, query)
    return { ...page, items: page.items.map((row) => toDiscount(context.shop.slug, row)) }
  },
})

export const changeDiscount = operation({
  name: 'updateDiscount',
  summary: 'Update a discount',
  description: 'Fields that are absent stay as they are; null empties a field. The type cannot be changed.',
  area: 'Discounts',
  route: 'PATCH /v1/shops/{slug}/discounts/{uuid}',
  needs: 'editor',
  body: DiscountUpdate,
  reply: NullReply,
  errors: ['discount_not_found', 'discount_exists'],
  audit: auditedDiscount,
  handle: (context, { path, body }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      const { code, ...others } = given(body, [
        'code',
        'target_selection',
        'target_type',
        'title',
        'value_type',
        'value',
      ])
      try {
        const isFound = await updateDiscount(context, path.uuid, {
          ...others,
          ...(code === undefined ? {} : { code: code || null }),
          updated_at: context.now,
        })
        if (!isFound) throw discountNotFound(path.uuid)
      } catch (error) {
        if (isDuplicate(error, 'discounts_code')) throw exists(body.code)
        throw error
      }
      return null
    }),
})

export const removeDiscount = operation({
  name: 'deleteDiscount',
  summary: 'Delete a discount',
  description:
    'Rejected while a deal or a campaign uses it, so that what customers see does not change as a side effect.',
  area: 'Discounts',
  route: 'DELETE /v1/shops/{slug}/discounts/{uuid}',
  needs: 'editor',
  reply: NullReply,
  errors: ['discount_not_found', 'discount_in_use'],
  audit: auditedDiscount,
  handle: (context, { path }) =>
    inTransaction(context, async (context) => {
      await announceOffers(context)
      try {
        if (!(await deleteDiscount(context, path.uuid))) throw discountNotFound(path.uuid)
      } catch (error) {
        if (!isStillReferenced(error)) throw error
        throw new ApiError(
          'discount_in_use',
          `A deal or a campaign uses the discount ${path.uuid}. Delete that, or give it another discount, first.`,
        )
      }
      return null
    }),
})

function exists(code: string | null | undefined): ApiError {
  return new ApiError('discount_exists', `This shop has a discount with the code ${JSON.stringify(code)} already.`)
}
