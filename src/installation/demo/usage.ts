import { openAccount, recordProviderHealth } from '../../credentials/provider-accounts/store.ts'
import { addRequests } from '../../credentials/provider-accounts/usage-store.ts'
import { after, hourMs, minuteMs } from '../../platform/foundation/clock.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'

/** A day of requests about sandbox parcels: few at night, most around noon, two failures. No other provider is called. */
export async function askProviders(context: ShopContext): Promise<void> {
  const { now, shop } = context
  await openAccount(context, shop.id, 'sandbox', now)
  await recordProviderHealth(context, { shopId: shop.id, provider: 'sandbox', at: after(now, -minuteMs) })
  await addRequests(
    context,
    Array.from({ length: 24 }, (_, back) => {
      const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs - back * hourMs)
      const busy = Math.max(0, 1 - Math.abs(hour.getUTCHours() - 13) / 9)
      const requests = 2 + Math.round(busy * 22)
      return { shopId: shop.id, provider: 'sandbox' as const, hour, requests, failures: back === 5 ? 2 : 0 }
    }),
  )
}
