import type { ShopSystemName } from '../../adapters/shop-systems/registry.ts'
import { enumName, listSubscribed } from '../../adapters/shop-systems/shopify/subscriptions.ts'
import { createAdminApi } from '../../adapters/shop-systems/shopware/admin-api.ts'
import { appEvents } from '../../adapters/shop-systems/shopware/manifest.ts'
import { listAppWebhooks } from '../../adapters/shop-systems/shopware/webhooks.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { CredentialHostError } from '../../platform/foundation/credential-hosts.ts'
import { ApiError } from '../../platform/foundation/errors.ts'
import { OutgoingError } from '../../platform/outgoing/errors.ts'
import { inboundAddress, renewRegistration, subscriptionError } from '../shop-systems/register-webhook.ts'
import { listRegistered } from '../shop-systems/registration-store.ts'
import { topics } from '../shop-systems/schema.ts'
import { getShopifyAccount, shopifyCall } from '../shop-systems/shopify-account.ts'
import {
  endWebhookRun,
  forgetWebhooks,
  leaseWebhooks,
  type WebhookRun,
  type WebhooksRow,
} from '../shop-systems/webhook-store.ts'
import { findWooCommerceAccount } from '../shop-systems/woocommerce-account.ts'
import { findAccount as findShopwareAccount } from '../shopware/store.ts'
import { putWooCommerceWebhooks } from './woocommerce-webhooks.ts'

/** Whether a run only reads, or also repairs what it may. */
export type WebhookCheck = 'read' | 'repair'

/**
 * Reads which webhooks of a system send to us, and stores it. A repair also activates those that WooCommerce has
 * disabled, creates those again that were created from here and are gone, and does what was requested since. Does
 * nothing while another run does the same.
 */
export async function checkWebhooks(
  context: ShopContext,
  system: ShopSystemName,
  check: WebhookCheck = 'repair',
): Promise<void> {
  const row = await leaseWebhooks(context, system)
  if (row !== undefined) await runWebhookCheck(context, system, row, check)
}

/** The same with a lease that the caller has, which it ends. */
export async function runWebhookCheck(
  context: ShopContext,
  system: ShopSystemName,
  row: WebhooksRow,
  check: WebhookCheck,
): Promise<void> {
  let run: WebhookRun | undefined
  try {
    run = await runs[system](context, row, check)
  } catch (error) {
    run = failedRun(messageOf(error))
    // Everything else is a mistake of ours: the lease ends all the same.
    if (!isExpected(error)) {
      await endWebhookRun(context, row, run)
      throw error
    }
  }
  if (run === undefined) return forgetWebhooks(context, system)
  await endWebhookRun(context, row, run)
}

type Run = (context: ShopContext, row: WebhooksRow, check: WebhookCheck) => Promise<WebhookRun | undefined>

/** Undefined: the system is not connected. */
const runs: Record<ShopSystemName, Run> = {
  async woocommerce(context, row, check) {
    const account = await findWooCommerceAccount(context)
    if (account === undefined) return undefined
    const repair = row.is_wanted ? 'all' : row.is_managed ? 'broken or missing' : 'broken'
    const { topics, failed, failure } = await putWooCommerceWebhooks(
      context,
      account,
      check === 'read' ? 'none' : repair,
    )
    const problem = failure ?? failed[0]
    // A key that may not do it will not be able to in a minute either.
    const isFinal = problem === undefined || problem.key === 'partner_key_missing_permissions'
    return {
      topics,
      problem: problem?.message ?? null,
      isDone: isFinal && !(check === 'read' && row.is_wanted),
      isManaged: false,
    }
  },
  async shopify(context, _row, check) {
    const account = await getShopifyAccount(context).catch((error: unknown) => {
      if (error instanceof ApiError && error.key === 'partner_key_not_found') return undefined
      throw error
    })
    if (account === undefined) return undefined
    const found = await listSubscribed(shopifyCall(context), account, inboundAddress(context, 'shopify'))
    if (found.result !== 'found') return failedRun(subscriptionError(found).message)
    const isThere = (topic: string) => found.topics.includes(enumName(topic))
    const repaired = check === 'repair' ? await subscribeAgain(context, isThere) : []
    const all = Object.values(topics)
    return {
      topics: {
        sending: all.filter((topic) => isThere(topic) || repaired.includes(topic)),
        disabled: [],
        missing: all.filter((topic) => !isThere(topic) && !repaired.includes(topic)),
      },
      problem: null,
      isDone: true,
      isManaged: false,
    }
  },
  async shopware(context) {
    const account = await findShopwareAccount(context, context.shop.id)
    if (account === undefined) return undefined
    const api = createAdminApi(() => context.now.getTime())
    const address = inboundAddress(context, 'shopware')
    const found = await listAppWebhooks(context.services.call, api, account, address)
    if (found.result === 'failed') return { ...failedRun(found.message), isDone: found.key !== 'bad_gateway' }
    const active = new Set(found.webhooks.filter(({ isActive }) => isActive).map(({ event }) => event))
    const known = new Set(found.webhooks.map(({ event }) => event))
    return {
      topics: {
        sending: appEvents.filter((event) => active.has(event)),
        disabled: appEvents.filter((event) => known.has(event) && !active.has(event)),
        missing: appEvents.filter((event) => !known.has(event)),
      },
      problem: null,
      isDone: true,
      isManaged: false,
    }
  },
}

/** Shopify deletes a subscription after failures: what was registered from here and is gone is registered again. */
async function subscribeAgain(context: ShopContext, isThere: (topic: string) => boolean): Promise<string[]> {
  const gone = (await listRegistered(context)).filter(({ topic }) => !isThere(topic))
  for (const registration of gone) await renewRegistration(context, registration)
  return gone.map(({ topic }) => topic)
}

function failedRun(problem: string): WebhookRun {
  return { topics: undefined, problem, isDone: false, isManaged: false }
}

function isExpected(error: unknown): boolean {
  return error instanceof ApiError || error instanceof OutgoingError || error instanceof CredentialHostError
}

function messageOf(error: unknown): string {
  return isExpected(error) ? (error as Error).message : 'The webhooks could not be read.'
}
