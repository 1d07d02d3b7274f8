import { type ProviderName, providerNames } from '../../adapters/carriers/registry.ts'
import { openStatuses } from '../../claims/claims/schema.ts'
import { listClaims } from '../../claims/claims/store.ts'
import { type AccountRow, findAccounts } from '../../credentials/provider-accounts/store.ts'
import { hidePath } from '../../delivery/queue/sealed-address.ts'
import { after, dayMs, earliest, minuteMs } from '../../platform/foundation/clock.ts'
import { mayInShop, type ShopContext } from '../../platform/foundation/context.ts'
import { operation } from '../../platform/foundation/operation.ts'
import { toException } from '../../tracking/exceptions/present.ts'
import { summarizeExceptions } from '../../tracking/exceptions/store.ts'
import { readShopTracking } from '../../tracking/scans/shop-tracking.ts'
import { Attention, attendedIntegrations, Checklist, ChecklistUpdate, countLimit, shownParcels } from './schema.ts'
import { countOpenClaims, countUnmapped, dismissChecklist, findDoneSteps, listFailingReceivers } from './store.ts'

/** A receiver that failed a moment ago is probably being restarted. */
const patienceMs = 15 * minuteMs
const givenUpWithinMs = 7 * dayMs

export const getAttention = operation({
  name: 'getAttention',
  summary: 'Get what needs a person',
  description:
    'Parcels that need somebody, open claims, receivers and tracking providers that fail, codes of carriers that are not mapped, and the first steps of a new shop.',
  area: 'Attention',
  route: 'GET /v1/shops/{slug}/attention',
  needs: 'viewer',
  reply: Attention,
  async handle(context) {
    const { webhooks, integrations } = await readReceivers(context)
    return {
      exceptions: await readExceptions(context),
      claims: await readClaims(context),
      webhooks,
      integrations,
      unmapped_codes: await countUnmapped(context),
      providers: await readProviders(context),
      checklist: await readChecklist(context),
    }
  },
})

export const updateChecklist = operation({
  name: 'updateChecklist',
  summary: 'Dismiss the first steps of a shop, or show them again',
  description: "For all people of the shop. The dashboard's home shows the steps that are left.",
  area: 'Attention',
  route: 'PATCH /v1/shops/{slug}/attention/checklist',
  needs: 'editor',
  body: ChecklistUpdate,
  reply: Checklist,
  audit: { none: 'It hides a hint and changes nothing else.' },
  async handle(context, { body }) {
    await dismissChecklist(context, body.dismissed)
    return readChecklist(context)
  },
})

async function readExceptions(context: ShopContext): Promise<Attention['exceptions']> {
  const { counts, parcels } = await summarizeExceptions(context, { count: countLimit, parcels: shownParcels })
  return counts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({
      kind,
      count,
      parcels: parcels.filter((row) => row.kind === kind).map((row) => toException(context, row)),
    }))
}

async function readClaims(context: ShopContext): Promise<Attention['claims']> {
  const oldest: Date[] = []
  for (const status of openStatuses) {
    const [claim] = await listClaims(context, { ...firstClaim, status })
    if (claim) oldest.push(new Date(claim.created_at))
  }
  return {
    count: oldest.length === 0 ? 0 : await countOpenClaims(context, openStatuses),
    oldest_at: earliest(oldest)?.toISOString() ?? null,
  }
}

const firstClaim = {
  orderId: undefined,
  foundOrderIds: undefined,
  shipmentId: undefined,
  reason: undefined,
  kind: undefined,
  resolutionPreference: undefined,
  createdFrom: undefined,
  createdTo: undefined,
  updatedFrom: undefined,
  updatedTo: undefined,
  sortBy: 'created_at',
  isDescending: false,
  limit: 1,
  offset: 0,
} as const

async function readReceivers(context: ShopContext): Promise<Pick<Attention, 'webhooks' | 'integrations'>> {
  const failing = await listFailingReceivers(context, attendedIntegrations, {
    failingBefore: after(context.now, -patienceMs),
    givenUpAfter: after(context.now, -givenUpWithinMs),
  })
  const endpoints = failing.flatMap(({ target, url, failingSince, probeAt, undelivered }) =>
    url === null
      ? []
      : [
          {
            uuid: target,
            url: hidePath(url),
            failing_since: failingSince?.toISOString() ?? null,
            waits_until: probeAt?.toISOString() ?? null,
            undelivered,
          },
        ],
  )
  const integrations = failing
    .filter(({ url }) => url === null)
    .map(({ target, failingSince, undelivered }) => ({
      integration: target as (typeof attendedIntegrations)[number], // only these are searched
      failing_since: failingSince?.toISOString() ?? null,
      undelivered,
    }))
  return {
    webhooks: { count: endpoints.length, endpoints: mayInShop(context, 'admin') ? endpoints : [] },
    integrations,
  }
}

async function readProviders(context: ShopContext): Promise<Attention['providers']> {
  const accounts = await findAccounts(context, context.shop.id)
  return providerNames.flatMap((provider) => toFailingProvider(context, provider, accounts.get(provider)))
}

function toFailingProvider(
  context: ShopContext,
  provider: ProviderName,
  account: AccountRow | undefined,
): Attention['providers'] {
  if (!account?.failing_since) return []
  const status = account.last_failure_status ?? 0
  return [
    {
      provider,
      failing_since: account.failing_since.toISOString(),
      status: status === 0 ? null : status,
      error: describeFailure(status),
      // It may quote the provider, and only admins see responses of other systems.
      detail: mayInShop(context, 'admin') ? account.last_failure_detail : null,
    },
  ]
}

async function readChecklist(context: ShopContext): Promise<Checklist> {
  const found = await findDoneSteps(context, attendedIntegrations)
  const { isOn, providers } = await readShopTracking(context, context.shop.id)
  const steps: Checklist['steps'] = [
    { step: 'orders', done: found.hasOrders || found.hasShopSystem },
    { step: 'tracking', done: isOn && providers.some((each) => each.status !== 'disabled' && each.hasCredentials) },
    { step: 'messages', done: found.hasChannel },
    { step: 'palette', done: found.hasPalette },
    { step: 'colleague', done: found.hasColleague },
  ]
  return { steps, dismissed: found.dismissedAt !== null || steps.every(({ done }) => done) }
}

/** The last failure of a tracking provider as text, and what to do. Status 0: there was no response. */
export function describeFailure(status: number): string {
  if (status === 0) return 'It does not respond.'
  if (status === 401 || status === 403) return 'It rejects the credentials. Check them.'
  if (status === 429) return 'It limits the number of requests. Tracking continues more slowly.'
  if (status >= 500) return 'It has a problem of its own. It is tried again.'
  return `It rejects requests with status ${status}.`
}
