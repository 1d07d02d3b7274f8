import type { Call } from '../../../platform/foundation/call.ts'
import { isRecord } from '../../../platform/foundation/read-json.ts'
import type { Account, Customer, SegmentsOutcome } from '../integration.ts'
import { execute } from './graphql.ts'

const findCustomer = `query findCustomer($identifier: CustomerIdentifierInput!) {
  customerByIdentifier(identifier: $identifier) { id }
  segments(first: 250) { nodes { id name } }
}`

const findMemberships = `query findMemberships($customerId: ID!, $segmentIds: [ID!]!) {
  customerSegmentMembership(customerId: $customerId, segmentIds: $segmentIds) {
    memberships { segmentId isMember }
  }
}`

/** The customer's segments: lists the shop's segments, then queries which of them contain the customer. */
export async function fetchSegments(
  call: Call,
  account: Account,
  baseUrl: string | undefined,
  customer: Customer,
): Promise<SegmentsOutcome> {
  const identifier = identify(customer)
  if (identifier === undefined) {
    return { result: 'skipped', reason: 'the customer has neither an id of Shopify nor an e-mail address' }
  }
  const found = await execute(call, account, baseUrl, { query: findCustomer, variables: { identifier } })
  if ('result' in found) return found
  const { customerByIdentifier: known, segments } = found.data
  const names = new Map(nodesOf(segments).map(({ id, name }) => [String(id), String(name)]))
  if (!isRecord(known) || names.size === 0) return { result: 'found', segments: [] }

  const variables = { customerId: known.id, segmentIds: [...names.keys()] }
  const reply = await execute(call, account, baseUrl, { query: findMemberships, variables })
  if ('result' in reply) return reply
  const { customerSegmentMembership: response } = reply.data
  const memberships = isRecord(response) && Array.isArray(response.memberships) ? response.memberships : []
  const joined = memberships.filter(isRecord).filter(({ isMember }) => isMember === true)
  return { result: 'found', segments: joined.flatMap(({ segmentId }) => names.get(String(segmentId)) ?? []) }
}

function identify({ external_id: externalId, email }: Customer): Record<string, string> | undefined {
  const id = /^(?:gid:\/\/shopify\/Customer\/)?(\d+)$/.exec(externalId ?? '')
  if (id !== null) return { id: `gid://shopify/Customer/${id[1]}` }
  return email === null || email === '' ? undefined : { emailAddress: email }
}

function nodesOf(connection: unknown): Record<string, unknown>[] {
  return isRecord(connection) && Array.isArray(connection.nodes) ? connection.nodes.filter(isRecord) : []
}
