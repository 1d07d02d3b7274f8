import { createAccessTokens, readGrant, sendWithToken } from '../../foundation/access-tokens.ts'
import { type Call, describeResponse } from '../../foundation/call.ts'
import { sha256Hex } from '../../foundation/crypto.ts'
import { asList, readObject } from '../../foundation/read-json.ts'
import { readRetryAfter } from '../../foundation/retry-after.ts'
import { redactSecrets } from '../../foundation/secrets.ts'
import { type Fields, isFields } from '../read-fields.ts'

/** The Shopware whose Admin API is called, at the URL that was verified at registration. */
export interface ShopwareAccount {
  shopId: string
  shopUrl: string
  clientId: string
  clientSecret: string
}

export interface FetchFailure {
  result: 'failed'
  detail: string
  retryAfterMs: number | undefined
}

export type FetchedOrders = { result: 'found'; orders: Fields[]; sentAt: Date | undefined } | FetchFailure

export interface AdminApi {
  /** The current state of the orders with these ids; deleted ones are missing. */
  fetchOrders(call: Call, account: ShopwareAccount, ids: string[]): Promise<FetchedOrders>
}

const jsonHeaders = { accept: 'application/json', 'content-type': 'application/json' }

export function createAdminApi(now: () => number): AdminApi {
  const tokens = createAccessTokens<FetchFailure>(now)
  return {
    async fetchOrders(call, account, ids) {
      const { clientSecret, shopId, shopUrl } = account
      const owner = { id: shopId, credentials: sha256Hex(`${shopUrl} ${account.clientId} ${clientSecret}`) }
      const response = await sendWithToken(
        tokens,
        owner,
        () => requestToken(call, account),
        (token) =>
          redactSecrets(call, [clientSecret, token])({
            method: 'POST',
            url: `${shopUrl}/api/search/order`,
            headers: { ...jsonHeaders, authorization: `Bearer ${token}` },
            body: JSON.stringify({ ids, 'total-count-mode': 0, associations }),
          }),
      )
      if ('result' in response) return response
      const orders = response.status === 200 ? asList(readObject(response.body)?.data) : undefined
      // The reply contains customer data, so it is not quoted.
      if (orders === undefined) return failed(response.status === 200 ? unreadable : describe(response), response)
      return { result: 'found', orders: orders.filter(isFields), sentAt: readDate(response.headers.date) }
    },
  }
}

const unreadable = 'Shopware returned orders that cannot be read.'

/** All associations that we read. */
const associations = {
  currency: {},
  stateMachineState: {},
  orderCustomer: {},
  language: nested({ locale: {} }),
  addresses: nested({ country: {}, countryState: {} }),
  transactions: nested({ stateMachineState: {} }),
  lineItems: nested({ cover: {} }),
  salesChannel: nested({ domains: {} }),
  deliveries: nested({
    stateMachineState: {},
    shippingMethod: {},
    positions: {},
    shippingOrderAddress: nested({ country: {}, countryState: {} }),
  }),
}

function nested(associations: Record<string, object>): object {
  return { associations }
}

async function requestToken(call: Call, { shopUrl, clientId, clientSecret }: ShopwareAccount) {
  const response = await redactSecrets(call, [clientSecret])({
    method: 'POST',
    url: `${shopUrl}/api/oauth/token`,
    headers: jsonHeaders,
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  })
  if (response.status !== 200) return failed(describe(response), response)
  // The body may contain part of a token, so it is not quoted.
  return readGrant(response.body) ?? failed('Shopware granted no access token that can be read.', response)
}

function describe(response: { status: number; headers: Record<string, string | undefined>; body: string }): string {
  return describeResponse('Shopware', response)
}

function failed(detail: string, response: Parameters<typeof readRetryAfter>[0]): FetchFailure {
  return { result: 'failed', detail, retryAfterMs: readRetryAfter(response) }
}

/** Shopware's own clock, which its webhooks use too. */
function readDate(text: string | undefined): Date | undefined {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
}
