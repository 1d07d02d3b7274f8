import { sql } from 'kysely'
import type { Context } from '../../platform/foundation/context.ts'
import { randomText } from '../../platform/foundation/ids.ts'

export interface StoredEmbedding {
  public_key: string
  domains: string[]
}

/** Undefined until the shop's key was first requested. */
export async function findEmbedding({ db }: Pick<Context, 'db'>, shopId: string): Promise<StoredEmbedding | undefined> {
  const row = await db.selectFrom('shop_settings').where('shop_id', '=', shopId).select('embedding').executeTakeFirst()
  const stored = row?.embedding as Partial<StoredEmbedding> | undefined // written below only
  return stored?.public_key === undefined ? undefined : { public_key: stored.public_key, domains: stored.domains ?? [] }
}

/** Requests at the same moment get the same key. */
export async function createEmbedding({ db }: Pick<Context, 'db'>, shopId: string): Promise<StoredEmbedding> {
  const made = { public_key: newPublicKey(), domains: [] }
  const { rows } = await sql<{ embedding: StoredEmbedding }>`
    update shop_settings set embedding = ${JSON.stringify(made)}::jsonb || embedding
    where shop_id = ${shopId}
    returning embedding`.execute(db)
  return rows[0]?.embedding ?? made
}

export async function putDomains({ db }: Pick<Context, 'db'>, shopId: string, domains: string[]): Promise<void> {
  await sql`
    update shop_settings set embedding = embedding || ${JSON.stringify({ domains })}::jsonb
    where shop_id = ${shopId}`.execute(db)
}

export async function replacePublicKey({ db }: Pick<Context, 'db'>, shopId: string): Promise<void> {
  await sql`
    update shop_settings set embedding = embedding || ${JSON.stringify({ public_key: newPublicKey() })}::jsonb
    where shop_id = ${shopId}`.execute(db)
}

function newPublicKey(): string {
  return `pk_${randomText(24)}`
}
