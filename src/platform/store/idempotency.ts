import type { Context } from '../foundation/context.ts'

export interface RequestIdentity {
  shopId: string
  keyId: string
  idempotencyKey: string
}

export interface StoredResponse {
  requestHash: Buffer
  status: number
  headers: Record<string, string>
  body: string
}

export async function findResponse(
  context: Context,
  identity: RequestIdentity,
  notBefore: Date,
): Promise<StoredResponse | undefined> {
  const row = await context.db
    .selectFrom('idempotent_requests')
    .where('shop_id', '=', identity.shopId)
    .where('key_id', '=', identity.keyId)
    .where('idempotency_key', '=', identity.idempotencyKey)
    .where('created_at', '>', notBefore)
    .select(['request_hash', 'status', 'headers', 'body'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    requestHash: row.request_hash,
    status: row.status,
    headers: row.headers as Record<string, string>, // written by claimRequest only
    body: row.body,
  }
}

/**
 * Reserves the key for this request: true for the first of two at the same time, because the second waits for the first
 * to commit. A response older than `notBefore` no longer blocks the key.
 */
export async function claimRequest(
  context: Context,
  identity: RequestIdentity,
  requestHash: Buffer,
  notBefore: Date,
): Promise<boolean> {
  const fresh = { request_hash: requestHash, status: 0, headers: '{}', body: '', created_at: context.now }
  const row = await context.db
    .insertInto('idempotent_requests')
    .values({ shop_id: identity.shopId, key_id: identity.keyId, idempotency_key: identity.idempotencyKey, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['shop_id', 'key_id', 'idempotency_key'])
        .doUpdateSet(fresh)
        .where('idempotent_requests.created_at', '<=', notBefore),
    )
    .returning('status')
    .executeTakeFirst()
  return row !== undefined
}

export async function storeResponse(
  context: Context,
  identity: RequestIdentity,
  response: Omit<StoredResponse, 'requestHash'>,
): Promise<void> {
  await context.db
    .updateTable('idempotent_requests')
    .set({ status: response.status, headers: JSON.stringify(response.headers), body: response.body })
    .where('shop_id', '=', identity.shopId)
    .where('key_id', '=', identity.keyId)
    .where('idempotency_key', '=', identity.idempotencyKey)
    .execute()
}

/** Releases a reserved key without a response, so that the request can be tried again. */
export async function releaseRequest(context: Context, identity: RequestIdentity, requestHash: Buffer): Promise<void> {
  await context.db
    .deleteFrom('idempotent_requests')
    .where('shop_id', '=', identity.shopId)
    .where('key_id', '=', identity.keyId)
    .where('idempotency_key', '=', identity.idempotencyKey)
    .where('request_hash', '=', requestHash)
    .where('status', '=', 0)
    .execute()
}

const purpose = 'idempotent answer'

/** A response may show a secret once, so it is stored encrypted. */
export function sealResponse(context: Pick<Context, 'services'>, body: string): string {
  return context.services.vault.seal(body, purpose).toString('base64')
}

export function openResponse(context: Pick<Context, 'services'>, sealed: string): string {
  return context.services.vault.open(Buffer.from(sealed, 'base64'), purpose)
}

export async function deleteResponsesBefore(context: Pick<Context, 'db'>, instant: Date): Promise<void> {
  await context.db.deleteFrom('idempotent_requests').where('created_at', '<=', instant).execute()
}
