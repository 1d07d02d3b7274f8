import type { Call } from '../../../platform/foundation/call.ts'
import { isRecord } from '../../../platform/foundation/read-json.ts'
import type { Account, Outcome } from '../integration.ts'
import { execute } from './graphql.ts'

const findScopes = `query findScopes {
  currentAppInstallation { accessScopes { handle } }
}`

/** What sending needs; a scope to write includes the one to read. */
const neededScopes = [['write_fulfillments'], ['read_orders', 'write_orders']]

/** Reads the scopes of the access token. A test event is not sent: it would be shown to the customer of a real order. */
export async function checkScopes(call: Call, account: Account, baseUrl: string | undefined): Promise<Outcome> {
  const found = await execute(call, account, baseUrl, { query: findScopes, variables: {} })
  if ('result' in found) return found
  const { response, data } = found
  const { status } = response
  const granted = scopesOf(data.currentAppInstallation)
  const missing = neededScopes.find((scopes) => !scopes.some((scope) => granted.has(scope)))
  if (missing === undefined) return { result: 'delivered', status, body: response.body }
  const body = `The access token lacks the scope ${missing[0]}.`
  return { result: 'rejected', status, body, key: 'partner_key_missing_permissions' }
}

function scopesOf(installation: unknown): Set<string> {
  const scopes = isRecord(installation) && Array.isArray(installation.accessScopes) ? installation.accessScopes : []
  return new Set(scopes.filter(isRecord).map(({ handle }) => String(handle)))
}
