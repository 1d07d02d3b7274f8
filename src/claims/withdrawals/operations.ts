import { findMatches } from '../../orders/search/match-store.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { given } from '../../platform/foundation/given.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { cutPage, offsetOf, PageUnder, pageRequest } from '../../platform/foundation/page.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { imageExpiryInResponse } from '../claims/images.ts'
import { toClaimOnDesk } from '../claims/present.ts'
import { ClaimOnDesk } from '../claims/schema.ts'
import { findOrderToWithdraw, type OrderToWithdraw } from './find.ts'
import { countWithdrawals, listWithdrawals, type WithdrawalSearch } from './list-store.ts'
import { isLate } from './rules.ts'
import { OrderWithdrawal, WithdrawalFilter, WithdrawalSettings, WithdrawalSettingsUpdate } from './schema.ts'
import { readSettings, writeSettings } from './settings-store.ts'

export const getWithdrawalSettings = operation({
  name: 'getWithdrawalSettings',
  summary: 'Get how customers can withdraw from a contract',
  area: 'Withdrawals',
  route: 'GET /v1/shops/{slug}/settings/withdrawal',
  needs: 'viewer',
  reply: WithdrawalSettings,
  handle: (context) => readSettings(context, context.shop.id),
})

export const updateWithdrawalSettings = operation({
  name: 'updateWithdrawalSettings',
  summary: 'Change how customers can withdraw from a contract',
  description:
    'Fields that are absent stay as they are. The period is counted again for every order; statements that were made keep the last day that they had.',
  area: 'Withdrawals',
  route: 'PATCH /v1/shops/{slug}/settings/withdrawal',
  needs: 'admin',
  body: WithdrawalSettingsUpdate,
  reply: WithdrawalSettings,
  audit: { kind: 'settings', id: () => 'withdrawal', read: (context) => readSettings(context, context.shop.id) },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const known = await readSettings(context, context.shop.id)
      const changes = given(body, ['enabled', 'period_days', 'country', 'exempt_categories', 'instructions'])
      const next = { ...known, ...changes }
      await writeSettings(context, {
        ...next,
        exempt_categories: [...new Set(next.exempt_categories.map((name) => name.trim()))].filter(Boolean),
      })
      await context.services.announce(context, { kind: 'withdrawal_settings', shopId: context.shop.id })
      return readSettings(context, context.shop.id)
    }),
})

export const searchWithdrawals = operation({
  name: 'searchWithdrawals',
  summary: 'Search statements of withdrawal',
  description: 'They are claims of the kind withdrawal, newest first, and are decided as claims are.',
  area: 'Withdrawals',
  route: 'GET /v1/shops/{slug}/withdrawals',
  needs: 'viewer',
  query: WithdrawalFilter,
  reply: PageUnder('withdrawals', ClaimOnDesk),
  async handle(context, { query }) {
    const request = pageRequest(query)
    const search: WithdrawalSearch = {
      status: query.status,
      isLate: query.late,
      foundOrderIds: query.q === undefined ? undefined : await findOrderIds(context, query.q),
      limit: request.perPage + 1,
      offset: offsetOf(request),
    }
    const page = await cutPage(request, await listWithdrawals(context, search), () => countWithdrawals(context, search))
    const viewer = { ...context, imagesUntil: imageExpiryInResponse(context.now) }
    return { ...page, items: page.items.map((claim) => toClaimOnDesk(viewer, claim)) }
  },
})

export const getOrderWithdrawal = operation({
  name: 'getOrderWithdrawal',
  summary: 'Get until when an order can be withdrawn from',
  description:
    'The period ends so many days after the last parcel reached the customer, on a working day. Until everything has arrived, the last day is not known, and the customer can withdraw at any time.',
  area: 'Withdrawals',
  route: 'GET /v1/shops/{slug}/orders/{order_id}/withdrawal',
  needs: 'viewer',
  reply: OrderWithdrawal,
  errors: ['order_not_found'],
  async handle(context, { path }) {
    const found = await findOrderToWithdraw(context, path.order_id)
    if (found === undefined) {
      throw new ApiError('order_not_found', `There is no order ${path.order_id} in this shop.`)
    }
    return toOrderWithdrawal(context, found)
  },
})

function toOrderWithdrawal({ now }: ShopContext, { order, settings, period, items }: OrderToWithdraw): OrderWithdrawal {
  const hasEnded = isLate(period, now)
  return {
    is_enabled: settings.enabled,
    state: period.lastDay === null ? 'not_started' : hasEnded ? 'ended' : 'running',
    is_open: !hasEnded,
    reached_on: period.reachedOn,
    last_day: period.lastDay,
    ends_at: period.endsAt?.toISOString() ?? null,
    period_days: settings.period_days,
    country: period.country,
    time_zone: period.timeZone,
    exempt_items: items.filter(({ isExempt }) => isExempt).length,
    withdrawals: order.withdrawals.map(({ id, status, created_at, is_late, is_whole_order }) => ({
      uuid: id,
      status,
      stated_at: new Date(created_at).toISOString(),
      is_late,
      is_whole_order,
    })),
  }
}

/** The orders that a text leads to. Of each index, a bounded number of rows is read. */
async function findOrderIds(context: ShopContext, text: string): Promise<string[]> {
  const { found } = await findMatches(context, text)
  return [...new Set(found.map(({ orderId }) => orderId))]
}
