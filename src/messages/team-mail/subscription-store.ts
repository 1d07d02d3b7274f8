import { type Selectable, sql } from 'kysely'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import type { DigestPeriod } from './schema.ts'

export type SubscriptionRow = Selectable<Tables['team_mail_subscriptions']>

/** A person's choices in this shop, and the facts that decide without a choice. */
export interface PersonSubscription {
  email: string
  /** Null: nothing was chosen yet. */
  digest: DigestPeriod | null
  alerts: boolean | null
  language: string | null
  /** Of the person in this shop alone. */
  isShopAdmin: boolean
}

export async function findSubscription(
  context: ShopContext,
  personId: string,
): Promise<PersonSubscription | undefined> {
  const { rows } = await sql<PersonSubscription>`
    select people.email, chosen.digest, chosen.alerts, chosen.language, coalesce(bound.role = 'admin', false) as "isShopAdmin"
    from people
    left join person_shops as bound on bound.shop_id = ${context.shop.id} and bound.person_id = people.id
    left join team_mail_subscriptions as chosen on chosen.shop_id = ${context.shop.id} and chosen.person_id = people.id
    where people.id = ${personId}`.execute(context.db)
  return rows[0]
}

export async function putSubscription(context: Pick<Context, 'db'>, row: SubscriptionRow): Promise<void> {
  const { digest, alerts, language } = row
  await context.db
    .insertInto('team_mail_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['shop_id', 'person_id']).doUpdateSet({ digest, alerts, language }))
    .execute()
}

/** A person who may be sent messages about a shop. */
export interface PersonRecipient {
  personId: string
  email: string
  name: string
  digest: DigestPeriod
  alerts: boolean
  language: string | null
  isAdmin: boolean
}

/**
 * The people of a shop, and those with a role for all shops who have subscribed to it. Without a choice, admins of the shop
 * get alerts. Nobody gets anything who could not sign in and see the same.
 */
export async function listPeopleOf(context: Context, shopId: string): Promise<PersonRecipient[]> {
  const { rows } = await sql<PersonRecipient>`
    select people.id as "personId", people.email, people.name, coalesce(chosen.digest, 'off') as digest,
      coalesce(chosen.alerts, bound.role = 'admin', false) as alerts, chosen.language,
      coalesce(bound.role = 'admin', false) or coalesce(people.everywhere in ('admin', 'superadmin'), false) as "isAdmin"
    from (
      select person_id from person_shops where shop_id = ${shopId}
      union
      select person_id from team_mail_subscriptions where shop_id = ${shopId}
    ) as possible
    join people on people.id = possible.person_id
    left join person_shops as bound on bound.shop_id = ${shopId} and bound.person_id = people.id
    left join team_mail_subscriptions as chosen on chosen.shop_id = ${shopId} and chosen.person_id = people.id
    where people.disabled_at is null and (people.password is not null or people.oidc_subject is not null)
      and (bound.person_id is not null or people.everywhere is not null)
    order by people.id`.execute(context.db)
  return rows
}

export async function hasDigestSubscribers(context: Pick<Context, 'db'>, shopId: string): Promise<boolean> {
  const found = await context.db
    .selectFrom('team_mail_subscriptions')
    .where('shop_id', '=', shopId)
    .where('digest', '<>', 'off')
    .select('person_id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The language that a person has chosen for messages, in any shop; null: none. */
export async function findLanguageOf(context: Pick<Context, 'db'>, personId: string): Promise<string | null> {
  const { rows } = await sql<{ language: string }>`
    select language from team_mail_subscriptions
    where person_id = ${personId} and language is not null
    order by shop_id
    limit 1`.execute(context.db)
  return rows[0]?.language ?? null
}
