import { createAccessTokens, readGrant, sendWithToken } from '../../../platform/foundation/access-tokens.ts'
import { type Call, type CallResponse, describeResponse } from '../../../platform/foundation/call.ts'
import { sha256Hex } from '../../../platform/foundation/crypto.ts'
import { asList, readObject } from '../../../platform/foundation/read-json.ts'
import { readRetryAfter } from '../../../platform/foundation/retry-after.ts'
import { redactSecrets } from '../../../platform/foundation/secrets.ts'
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
  /** Of the token endpoint. */
  status: number
  detail: string
  retryAfterMs: number | undefined
  /** The response of the token endpoint, if it failed. */
  response?: CallResponse
}

export type FetchedOrders = { result: 'found'; orders: Fields[]; sentAt: Date | undefined } | FetchFailure

export interface AdminApi {
  /** The current state of the orders with these ids; deleted ones are missing. */
  fetchOrders(call: Call, account: ShopwareAccount, ids: string[]): Promise<FetchedOrders>
  /** Any request below `/api`, with an access token. */
  send(call: Call, account: ShopwareAccount, request: AdminRequest): Promise<CallResponse | FetchFailure>
}

export interface AdminRequest {
  method: 'GET' | 'POST'
  /** Below `/api`, such as `/search/order`. */
  path: string
  body?: object
}

const jsonHeaders = { accept: 'application/json', 'content-type': 'application/json' }

export function createAdminApi(now: () => number): AdminApi {
  const tokens = createAccessTokens<FetchFailure>(now)

  const send: AdminApi['send'] = (call, account, { method, path, body }) => {
    const { clientSecret, shopId, shopUrl } = account
    const owner = { id: shopId, credentials: sha256Hex(`${shopUrl} ${account.clientId} ${clientSecret}`) }
    return sendWithToken(
      tokens,
      owner,
      () => requestToken(call, account),
      (token) =>
        redactSecrets(call, [clientSecret, token])({
          method,
          url: `${shopUrl}/api${path}`,
          headers: { ...jsonHeaders, authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
    )
  }

  return {
    send,
    async fetchOrders(call, account, ids) {
      const body = { ids, 'total-count-mode': 0, associations }
      const response = await send(call, account, { method: 'POST', path: '/search/order', body })
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
export const associations = {
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

function failed(detail: string, response: CallResponse): FetchFailure {
  return { result: 'failed', status: response.status, detail, retryAfterMs: readRetryAfter(response), response }
}

/** Shopware's own clock, which its webhooks use too. */
export function readDate(text: string | undefined): Date | undefined {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
}
