import { type ShopSystemName, shopSystemNames } from '../../adapters/shop-systems/registry.ts'
import { webhookTopics } from '../../adapters/shop-systems/woocommerce/webhooks.ts'
import { findShopUrl } from '../../adapters/vendors/shopify-admin.ts'
import { findMailAccount } from '../../credentials/mail-account/account.ts'
import { findAccounts } from '../../credentials/provider-accounts/store.ts'
import { mailReceiver } from '../../delivery/queue/delivery.ts'
import type { ShopContext } from '../../platform/foundation/context.ts'
import { withoutCredentials } from '../../platform/foundation/web-address.ts'
import { toCatchUp } from '../catch-up/present.ts'
import { type CatchUpRow, listCatchUps } from '../catch-up/store.ts'
import { type FetchQueue, findQueue } from '../order-fetches/store.ts'
import { type Activity, countOrders, listActivity } from '../shop-systems/activity-store.ts'
import { inboundAddress } from '../shop-systems/register-webhook.ts'
import { listRegistered } from '../shop-systems/registration-store.ts'
import { topics } from '../shop-systems/schema.ts'
import { listWebhookStates, type WebhooksRow } from '../shop-systems/webhook-store.ts'
import { findWooCommerceAccount } from '../shop-systems/woocommerce-account.ts'
import { findApp } from '../shopware/store.ts'
import { findLastGrant, type GrantRow } from './grant-store.ts'
import { problemOf } from './problem.ts'
import { type ConnectionState, connectedMarketing, connectedProviders, type ShopSystemConnection } from './schema.ts'
import { type CheckRow, listChecks, listCredentialTimes } from './store.ts'

const maxCounted = 10_000

/** The topics that no connection to WooCommerce can do without; those of products are for recommendations. */
const wooCommerceTopics: string[] = webhookTopics.filter((topic) => topic.startsWith('order.'))

type WithoutCatchUp = Omit<ShopSystemConnection, 'catch_up'>

/** The stored facts about the connection to a shop system. */
interface Known {
  hasCredentials: boolean
  check: CheckRow | undefined
  activity: Activity | undefined
  webhooks: WebhooksRow | undefined
}

const readers: Record<ShopSystemName, (context: ShopContext, known: Known) => Promise<WithoutCatchUp>> = {
  shopify: readShopify,
  shopware: readShopware,
  woocommerce: readWooCommerce,
}

/** The shop's connections from the store, without a call to any system. */
export async function readConnections(context: ShopContext) {
  const credentials = await listCredentialTimes(context)
  const checks = validChecks(await listChecks(context), credentials)
  const activity = await listActivity(context)
  const webhooks = await listWebhookStates(context)
  const accounts = await findAccounts(context, context.shop.id)
  const catchUps = await listCatchUps(context)
  const shopSystems: WithoutCatchUp[] = []
  for (const name of shopSystemNames) {
    shopSystems.push(
      await readers[name](context, {
        hasCredentials: credentials.has(name),
        check: checks.get(name),
        activity: activity.get(name),
        webhooks: webhooks.get(name),
      }),
    )
  }
  return {
    shop_systems: shopSystems.map((connection) => withCatchUp(connection, catchUps.get(connection.name))),
    providers: connectedProviders.map((name) => {
      const account = accounts.get(name)
      const isFailing = account?.failing_since != null
      return {
        name,
        has_credentials: credentials.has(name),
        state: accountState(credentials.has(name), checks.get(name), isFailing, account?.last_success_at != null),
      }
    }),
    marketing: connectedMarketing.map((name) => ({
      name,
      has_credentials: credentials.has(name),
      state: accountState(credentials.has(name), checks.get(name), false, false),
    })),
    mail: await readMail(context, credentials.has(mailReceiver), checks.get(mailReceiver)),
  }
}

/** One failed request may be a restart of the store; several in a row are a failing connection. */
function withCatchUp(connection: WithoutCatchUp, row: CatchUpRow | undefined): ShopSystemConnection {
  const catchUp = row && connection.has_credentials ? toCatchUp(row) : null
  if (row === undefined || catchUp?.problem == null || row.failures < 3) return { ...connection, catch_up: catchUp }
  const problem = connection.problem ?? { ...catchUp.problem, reason: null, use_address: null }
  return { ...connection, catch_up: catchUp, state: 'failing', problem }
}

async function readMail(context: ShopContext, hasCredentials: boolean, check: CheckRow | undefined) {
  const { source = null } = (await findMailAccount(context, context.shop.id)) ?? {}
  return {
    name: mailReceiver,
    source,
    has_credentials: hasCredentials,
    state: accountState(source !== null, check, false, false),
    checked_at: check?.checked_at.toISOString() ?? null,
    problem: source === null ? null : problemOf('The mail server', check),
  }
}

/** A check says nothing about credentials that were set after it. */
function validChecks(checks: Map<string, CheckRow>, credentials: Map<string, Date>): Map<string, CheckRow> {
  return new Map(
    [...checks].filter(([name, { checked_at }]) => {
      const setAt = credentials.get(name)
      return setAt === undefined || checked_at >= setAt
    }),
  )
}

function accountState(
  hasCredentials: boolean,
  check: CheckRow | undefined,
  isFailing: boolean,
  hasSucceeded: boolean,
): ConnectionState {
  if (!hasCredentials) return 'none'
  if (isFailing || (check !== undefined && check.result !== 'ok')) return 'failing'
  return check?.result === 'ok' || hasSucceeded ? 'connected' : 'incomplete'
}

async function readShopify(
  context: ShopContext,
  { hasCredentials, check, activity, webhooks: known }: Known,
): Promise<WithoutCatchUp> {
  const registered = (await listRegistered(context))
    // A topic does not count if Shopify no longer listed it after its registration.
    .filter(({ topic, created_at: at }) => !(known?.missing?.includes(topic) && isLater(known.checked_at, at)))
    .map(({ topic }) => topic)
  const missing = Object.values(topics).filter((topic) => !registered.includes(topic))
  const hasStarted = hasCredentials || registered.length > 0 || activity !== undefined
  const isComplete = hasCredentials ? missing.length === 0 : activity?.receivedAt != null
  return {
    ...(await common(context, 'shopify', activity, check)),
    state: stateOf(hasStarted, isComplete, hasCredentials && isBad(check)),
    has_credentials: hasCredentials,
    store: storeOf(check, findShopUrl(context.shop.shop_admin_url)),
    webhooks: { ...webhooksOf(context, 'shopify', known), registered, missing },
    authorization: null,
    problem: hasCredentials ? problemOf('Shopify', check) : null,
  }
}

function isLater(left: Date | null, right: Date): boolean {
  return left !== null && left > right
}

/**
 * Webhooks alone are a connection; a key is needed to create them from here, for existing orders, refunded items and
 * WooCommerce's own fulfilments.
 */
async function readWooCommerce(
  context: ShopContext,
  { check, activity, webhooks: known }: Known,
): Promise<WithoutCatchUp> {
  const account = await findWooCommerceAccount(context)
  const fetchProblem = fetchProblemOf('WooCommerce', await findQueue(context, 'woocommerce'))
  const isHeard = activity?.receivedAt != null || activity?.pingedAt != null
  const webhooks = webhooksOf(context, 'woocommerce', account && known)
  const isComplete = webhooks.checked_at === null ? isHeard : wooCommerceTopics.every(isIn(webhooks.registered))
  const isFailing = account !== undefined && (isBad(check) || fetchProblem !== null || webhooks.disabled.length > 0)
  return {
    ...(await common(context, 'woocommerce', activity, check)),
    state: stateOf(isHeard || account !== undefined, isComplete, isFailing),
    has_credentials: account !== undefined,
    store: storeOf(check, account?.storeUrl),
    webhooks: webhooks.checked_at === null && !isHeard ? { ...webhooks, missing: wooCommerceTopics } : webhooks,
    authorization: readAuthorization(context, await findLastGrant(context)),
    problem: account
      ? (problemOf('WooCommerce', check) ?? fetchProblem ?? disabledProblem('WooCommerce', webhooks.disabled))
      : null,
  }
}

function readAuthorization(context: ShopContext, grant: GrantRow | undefined): ShopSystemConnection['authorization'] {
  if (grant === undefined) return null
  const { expires_at: expiresAt, problem, store_url: storeUrl, used_at: usedAt } = grant
  const isOpen = usedAt === null && expiresAt > context.now
  const state = problem ? 'failed' : usedAt ? 'granted' : isOpen ? 'waiting' : 'expired'
  return { state, store_url: withoutCredentials(storeUrl), expires_at: expiresAt.toISOString(), problem }
}

/** The webhooks as the system itself listed them last. */
function webhooksOf(context: ShopContext, system: ShopSystemName, known: WebhooksRow | undefined) {
  return {
    address: inboundAddress(context, system),
    registered: known?.sending ?? [],
    missing: known?.missing ?? [],
    disabled: known?.disabled ?? [],
    checked_at: known?.checked_at?.toISOString() ?? null,
    problem: known?.problem ?? null,
    is_pending: known?.is_wanted ?? false,
  }
}

function disabledProblem(system: string, disabled: string[]): ShopSystemConnection['problem'] {
  if (disabled.length === 0) return null
  const message = `${system} does not send these webhooks any longer: ${disabled.join(', ')}.`
  return { key: 'webhooks_disabled', reason: null, use_address: null, message }
}

function isIn(list: readonly string[]): (one: string) => boolean {
  return (one) => list.includes(one)
}

async function readShopware(
  context: ShopContext,
  { check, activity, webhooks: known }: Known,
): Promise<WithoutCatchUp> {
  const app = await findApp(context, context.shop.id)
  const fetchProblem = fetchProblemOf('Shopware', await findQueue(context, 'shopware'))
  const isConnected = app?.connection != null
  // A check says nothing about a connection that was made after it.
  const valid = check && app?.connected_at && check.checked_at >= app.connected_at ? check : undefined
  const webhooks = webhooksOf(context, 'shopware', isConnected ? known : undefined)
  const isFailing = isConnected && (isBad(valid) || fetchProblem !== null || webhooks.disabled.length > 0)
  return {
    ...(await common(context, 'shopware', activity, valid)),
    state: stateOf(app !== undefined, isConnected, isFailing),
    has_credentials: isConnected,
    store: storeOf(isConnected ? valid : undefined, app?.shop_url ?? undefined),
    webhooks,
    authorization: null,
    problem: isConnected
      ? (problemOf('Shopware', valid) ?? fetchProblem ?? disabledProblem('Shopware', webhooks.disabled))
      : null,
  }
}

function fetchProblemOf(system: string, queue: FetchQueue | undefined): ShopSystemConnection['problem'] {
  if (queue === undefined || queue.failures === 0) return null
  const message = `Orders could not be fetched from ${system} the last time.`
  return { key: 'bad_gateway', reason: null, use_address: null, message }
}

async function common(
  context: ShopContext,
  name: ShopSystemName,
  activity: Activity | undefined,
  check: CheckRow | undefined,
) {
  return {
    name,
    checked_at: check?.checked_at.toISOString() ?? null,
    last_ping_at: activity?.pingedAt?.toISOString() ?? null,
    last_received_at: activity?.receivedAt?.toISOString() ?? null,
    received: await countOrders(context, name, maxCounted),
  }
}

function stateOf(hasStarted: boolean, isComplete: boolean, isFailing: boolean): ConnectionState {
  if (!hasStarted) return 'none'
  if (isFailing) return 'failing'
  return isComplete ? 'connected' : 'incomplete'
}

function isBad(check: CheckRow | undefined): boolean {
  return check !== undefined && check.result !== 'ok'
}

function storeOf(check: CheckRow | undefined, url: string | undefined): ShopSystemConnection['store'] {
  const facts = (check?.facts ?? {}) as Record<string, string> // written by putCheck only
  if (url === undefined && facts.store_name === undefined) return null
  const shown = url ?? facts.store_url
  return {
    name: facts.store_name ?? null,
    url: shown === undefined ? null : withoutCredentials(shown),
    currency: facts.currency ?? null,
  }
}
