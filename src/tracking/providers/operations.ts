import { findCarrier } from '../../adapters/carriers/find.ts'
import { type ProviderName, providerNames, type TrackingProvider } from '../../adapters/carriers/registry.ts'
import { type AccountRow, findAccounts, resumeAccount } from '../../credentials/provider-accounts/store.ts'
import { listUsage, type UsageRow } from '../../credentials/provider-accounts/usage-store.ts'
import { after, dayMs, hourMs, secondMs } from '../../platform/foundation/clock.ts'
import { mayInShop, type ShopContext } from '../../platform/foundation/context.ts'
import { invalid } from '../../platform/foundation/errors.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { inTransaction } from '../../platform/foundation/transaction.ts'
import { wakeOnceCommitted } from '../../platform/workers/wake.ts'
import type { CarrierProviders } from '../../shops/settings/bundle-schema.ts'
import { recordOf } from '../../shops/settings/integrations.ts'
import { getSettings, mergeCarrierSettings } from '../../shops/settings/store.ts'
import { countParcels } from '../scans/parcel-store.ts'
import { carriersOf, type ProviderState } from '../scans/rules.ts'
import {
  AllProviderSettings,
  AllProviderUpdates,
  countedParcels,
  type ProviderSettings,
  type ProviderUpdate,
  type ProviderUsage,
  quotaMinSeconds,
} from '../scans/schema.ts'
import { readShopTracking } from '../scans/shop-tracking.ts'

const choosing =
  'The parcels of a carrier are tracked by a provider that is live, supports the carrier and has credentials. A provider whose enabled_carriers name the carrier comes before one whose list is empty, which means all that it supports; the system of the carrier itself comes before an aggregator. While a provider is `testing`, events are recorded without notifications.'

export const getTrackingProviders = operation({
  name: 'getTrackingProviders',
  summary: 'Get which providers track which carriers, and their health',
  description: choosing,
  area: 'Settings',
  route: 'GET /v1/shops/{slug}/settings/carriers/providers',
  needs: 'viewer',
  reply: AllProviderSettings,
  handle: (context) => readProviders(context),
})

export const updateTrackingProviders = operation({
  name: 'updateTrackingProviders',
  summary: 'Change which providers track which carriers',
  description: `${choosing}\n\nProviders and fields that are absent or null stay as they are.`,
  area: 'Settings',
  route: 'PATCH /v1/shops/{slug}/settings/carriers/providers',
  needs: 'admin',
  body: AllProviderUpdates,
  reply: AllProviderSettings,
  errors: ['carrier_reference_invalid'],
  audit: {
    kind: 'settings',
    id: () => 'carriers/providers',
    async read(context) {
      return (await getSettings(context, context.shop.id)).carriers
    },
  },
  handle: (context, { body }) =>
    inTransaction(context, async (context) => {
      const changes: Record<string, unknown> = {}
      for (const name of providerNames) {
        const update = body[name]
        if (!update) continue
        Object.assign(changes, changesOf(name, update))
        if (update.status) await resumeAccount(context, context.shop.id, name)
      }
      if (Object.keys(changes).length > 0) {
        await mergeCarrierSettings(context, context.shop.id, changes as Partial<CarrierProviders>) // named as its fields are
        await context.services.announce(context, { kind: 'tracking', shopId: context.shop.id })
        wakeOnceCommitted(context, 'parcels')
      }
      return readProviders(context)
    }),
})

function changesOf(name: ProviderName, update: ProviderUpdate): Record<string, unknown> {
  return {
    ...(update.status ? { [`${name}_status`]: update.status } : {}),
    ...(update.enabled_carriers
      ? { [`${name}_enabled_carriers`]: referencesOf(update.enabled_carriers, ['body', name, 'enabled_carriers']) }
      : {}),
    ...(update.disabled_carriers
      ? { [`${name}_disabled_carriers`]: referencesOf(update.disabled_carriers, ['body', name, 'disabled_carriers']) }
      : {}),
  }
}

/** Each once, in the spelling of the catalogue. */
function referencesOf(carriers: string[], loc: (string | number)[]): string[] {
  const references = carriers.map((carrier, index) => {
    const known = findCarrier(carrier)
    if (known === undefined) {
      throw invalid([...loc, index], 'is not a known carrier; GET /v1/carriers lists them', 'carrier_reference_invalid')
    }
    return known.reference
  })
  return [...new Set(references)]
}

async function readProviders(context: ShopContext): Promise<AllProviderSettings> {
  const { providers, isOn } = await readShopTracking(context, context.shop.id)
  const accounts = await findAccounts(context, context.shop.id)
  const usage = await listUsage(context, context.shop.id, usageSince(context.now))
  const tracked = new Map<ProviderName, string[]>()
  const followed = new Map<ProviderName, number>()
  for (const { name } of providers) {
    const carriers = carriersOf(name, providers)
    const count = carriers.length === 0 ? 0 : await countParcels(context, context.shop.id, carriers, countedParcels)
    tracked.set(name, carriers)
    followed.set(name, count)
  }
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  return recordOf(providerNames, (name): ProviderSettings => {
    const provider = byName.get(name)
    const known = context.services.providers[name]
    const account = accounts.get(name)
    return {
      status: provider?.status ?? 'disabled',
      enabled_carriers: [...(provider?.enabledCarriers ?? [])],
      disabled_carriers: [...(provider?.disabledCarriers ?? [])],
      has_credentials: provider?.hasCredentials ?? false,
      webhook_url: known.readWebhook
        ? `${context.services.publicUrl}/v1/inbound/${context.shop.slug}/carriers/${name}`
        : null,
      name: known.label,
      supported_carriers: [...known.carriers],
      tracked_carriers: tracked.get(name) ?? [],
      health: {
        state: stateOf(provider, isOn, account),
        ...toHealth(context, account),
        parcels_followed: followed.get(name) ?? 0,
      },
      usage: toUsage(
        known,
        usage.filter((row) => row.provider === name),
        account,
        context.now,
      ),
    }
  })
}

type Health = ProviderSettings['health']

function stateOf(provider: ProviderState | undefined, isOn: boolean, account: AccountRow | undefined): Health['state'] {
  if (!isOn || provider === undefined || provider.status === 'disabled') return 'disabled'
  if (!provider.hasCredentials) return 'no_credentials'
  if (account === undefined) return 'no_requests'
  if (account.failing_since !== null) return 'failing'
  return account.last_success_at === null && account.last_failure_at === null ? 'no_requests' : 'healthy'
}

function toHealth(context: ShopContext, account: AccountRow | undefined): Omit<Health, 'parcels_followed' | 'state'> {
  const text = (instant: Date | null | undefined) => instant?.toISOString() ?? null
  const status = account?.last_failure_status ?? null
  return {
    last_success_at: text(account?.last_success_at),
    last_failure_at: text(account?.last_failure_at),
    last_failure_status: status,
    // It may quote the provider, and only admins see responses of other systems.
    last_failure_detail: mayInShop(context, 'admin') ? (account?.last_failure_detail ?? null) : null,
    last_failure_reason: status === null ? null : reasonOf(status),
    failing_since: text(account?.failing_since),
    paused_until: account?.paused_until && account.paused_until > context.now ? text(account.paused_until) : null,
  }
}

/** The reason why a request failed, by the status of the response. */
function reasonOf(status: number): NonNullable<Health['last_failure_reason']> {
  if (status === 0) return 'no_response'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 402) return 'plan'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'rejected' : 'unreadable'
}

/** The first of the hours that a reply lists. */
function usageSince(now: Date): Date {
  return after(hourOf(now), -23 * hourMs)
}

/** How much of a provider's limit a shop uses, from the hours in which it requested something. */
function toUsage(
  { limit, minGapMs }: Pick<TrackingProvider, 'limit' | 'minGapMs'>,
  rows: readonly UsageRow[],
  account: AccountRow | undefined,
  now: Date,
): ProviderUsage {
  const first = usageSince(now).getTime()
  const byHour = new Map(rows.map((row) => [row.hour.getTime(), row]))
  const hours = Array.from({ length: 24 }, (_, index) => {
    const { requests = 0, failures = 0 } = byHour.get(first + index * hourMs) ?? {}
    return { hour: new Date(first + index * hourMs).toISOString(), requests, failures }
  })
  const since = (start: number) =>
    hours.reduce((sum, { hour, requests }) => sum + (Date.parse(hour) >= start ? requests : 0), 0)
  const midnight = now.getTime() - (now.getTime() % dayMs)
  const perSeconds = limit.perMs / secondMs
  const isLimited = account?.last_failure_status === 429 && account.paused_until !== null && account.paused_until > now
  return {
    requests_this_hour: hours.at(-1)?.requests ?? 0,
    requests_today: since(midnight),
    requests_last_24_hours: since(first),
    failures_last_24_hours: hours.reduce((sum, { failures }) => sum + failures, 0),
    limit: {
      requests: limit.requests,
      per_seconds: perSeconds,
      used: perSeconds < quotaMinSeconds ? null : since(now.getTime() - limit.perMs),
      min_gap_seconds: minGapMs === undefined ? null : minGapMs / secondMs,
    },
    resets_at: account && account.next_free_at > now ? account.next_free_at.toISOString() : null,
    rate_limited_until: isLimited ? (account.paused_until?.toISOString() ?? null) : null,
    hours,
  }
}

function hourOf(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % hourMs))
}
