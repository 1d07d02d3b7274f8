import { type Selectable, sql, type Updateable } from 'kysely'
import { after } from '../../platform/foundation/clock.ts'
import type { Context, ShopContext } from '../../platform/foundation/context.ts'
import type { Page, PageRequest } from '../../platform/foundation/page.ts'
import type { Role } from '../../platform/foundation/roles.ts'
import type { Tables } from '../../platform/foundation/tables.ts'
import { fetchFilteredPage } from '../../platform/store/shop-records.ts'
import { maxIdleMs } from '../sessions/cookie.ts'
import type { Rights } from './rules.ts'
import type { Colleague, PersonFilter } from './schema.ts'

export type PersonRow = Selectable<Tables['people']>
export type PersonChanges = Updateable<Tables['people']>

/** A person as administrators see them. */
export interface PersonRecord extends Rights {
  id: string
  email: string
  name: string
  hasPassword: boolean
  isOidc: boolean
  hasTotp: boolean
  createdAt: Date
  lastSignInAt: Date | null
  disabledAt: Date | null
  linkKind: 'invitation' | 'reset' | null
  linkExpiresAt: Date | null
  sessionCount: number
  /** Deleted shops included: their deletion may be undone. */
  shops: { shopId: string; slug: string; role: Role; isDeleted: boolean }[]
}

function recordColumns(now: Date) {
  return sql`
    people.id, people.email, people.name, people.everywhere,
    people.password is not null as "hasPassword", people.oidc_subject is not null as "isOidc",
    people.totp_confirmed_at is not null as "hasTotp", people.created_at as "createdAt",
    people.last_sign_in_at as "lastSignInAt", people.disabled_at as "disabledAt",
    link.kind as "linkKind", link.expires_at as "linkExpiresAt",
    (select count(*)::int from sessions
     where sessions.person_id = people.id and sessions.expires_at > ${now}
       and sessions.last_used_at > ${after(now, -maxIdleMs)}) as "sessionCount",
    coalesce(
      (select jsonb_agg(
         jsonb_build_object('shopId', shops.id, 'slug', shops.slug, 'role', person_shops.role,
           'isDeleted', shops.deleted_at is not null)
         order by shops.slug)
       from person_shops join shops on shops.id = person_shops.shop_id
       where person_shops.person_id = people.id),
      '[]') as shops`
}

function recordSource(now: Date) {
  return sql`from people left join sign_in_links as link on link.person_id = people.id and link.expires_at > ${now}`
}

/** The people to list: everyone, or those with access to one of these shops. */
export interface PeopleScope {
  shopIds: readonly string[] | 'all'
  /** Superadmins are listed for superadmins only. */
  withSuperadmins: boolean
}

/** By name. */
export function listPeople(context: Context, filter: PersonFilter, scope: PeopleScope): Promise<Page<PersonRecord>> {
  const { shopIds, withSuperadmins } = scope
  const conditions = [
    ...(shopIds === 'all'
      ? []
      : [
          sql`people.id in (
            select person_id from person_shops where shop_id = any(${shopIds}::uuid[])
            union all
            select id from people where everywhere is not null
          )`,
        ]),
    ...(withSuperadmins ? [] : [sql`people.everywhere is distinct from 'superadmin'`]),
    ...(filter.q === undefined
      ? []
      : [sql`(strpos(lower(people.name), lower(${filter.q})) > 0 or strpos(people.email, lower(${filter.q})) > 0)`]),
  ]
  const query = {
    name: `people ${shopIds === 'all' ? '' : shopIds.join()} ${withSuperadmins}`,
    columns: recordColumns(context.now),
    rows: sql`${recordSource(context.now)} ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}`,
    orderBy: sql`people.name, people.id`,
  }
  return fetchFilteredPage(context, query, filter)
}

export async function findPersonRecord(context: Context, id: string): Promise<PersonRecord | undefined> {
  const { rows } = await sql<PersonRecord>`
    select ${recordColumns(context.now)} ${recordSource(context.now)} where people.id = ${id}`.execute(context.db)
  return rows[0]
}

/** Serialises changes of a person until the transaction ends. */
export async function lockPerson(context: Context, id: string): Promise<void> {
  await context.db.selectFrom('people').where('id', '=', id).select('id').forUpdate().execute()
}

export async function findPerson(context: Pick<Context, 'db'>, id: string): Promise<PersonRow | undefined> {
  return context.db.selectFrom('people').where('id', '=', id).selectAll().executeTakeFirst()
}

export async function findPersonByEmail(context: Pick<Context, 'db'>, email: string): Promise<PersonRow | undefined> {
  return context.db.selectFrom('people').where('email', '=', normalizeEmail(email)).selectAll().executeTakeFirst()
}

export async function findPersonBySubject(
  context: Pick<Context, 'db'>,
  issuer: string,
  subject: string,
): Promise<PersonRow | undefined> {
  return context.db
    .selectFrom('people')
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .selectAll()
    .executeTakeFirst()
}

export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** False if the e-mail address has an account. */
export async function insertPerson(
  context: Pick<Context, 'db' | 'now'>,
  person: Pick<PersonRow, 'id' | 'email' | 'name' | 'everywhere'> & Partial<PersonRow>,
): Promise<boolean> {
  const inserted = await context.db
    .insertInto('people')
    .values({
      password: null,
      totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: null,
      oidc_issuer: null,
      oidc_subject: null,
      created_at: context.now,
      last_sign_in_at: null,
      disabled_at: null,
      ...noPasswordWarning,
      ...person,
      email: normalizeEmail(person.email),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function updatePerson(context: Pick<Context, 'db'>, id: string, changes: PersonChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await context.db.updateTable('people').set(changes).where('id', '=', id).execute()
}

/** A new password also clears the warning: somebody who knew the old one does not know the new one. */
export function withPassword(password: string | null): PersonChanges {
  return { password, ...noPasswordWarning }
}

export const noPasswordWarning = { password_warning_at: null, password_warning_network: null }

/** False if the password was changed meanwhile: the one that somebody knows is no longer right. */
export async function putPasswordWarning(
  context: Pick<Context, 'db' | 'now'>,
  { id, password }: Pick<PersonRow, 'id' | 'password'>,
  network: string,
): Promise<boolean> {
  const updated = await context.db
    .updateTable('people')
    .set({ password_warning_at: context.now, password_warning_network: network })
    .where('id', '=', id)
    .where('password', '=', password)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export async function deletePerson(context: Pick<Context, 'db'>, id: string): Promise<void> {
  await context.db.deleteFrom('people').where('id', '=', id).execute()
}

/** Replaces the person's roles in single shops. */
export async function putPersonShops(context: Pick<Context, 'db'>, id: string, shops: Rights['shops']): Promise<void> {
  await context.db.deleteFrom('person_shops').where('person_id', '=', id).execute()
  if (shops.length === 0) return
  await context.db
    .insertInto('person_shops')
    .values(shops.map(({ shopId, role }) => ({ shop_id: shopId, person_id: id, role })))
    .execute()
}

export async function removePersonFrom(
  context: Pick<Context, 'db'>,
  id: string,
  shopIds: readonly string[],
): Promise<void> {
  await sql`delete from person_shops where person_id = ${id} and shop_id = any(${shopIds}::uuid[])`.execute(context.db)
}

/** The roles of a person, in single shops and everywhere. */
export async function findRights(context: Pick<Context, 'db'>, id: string): Promise<Rights> {
  const rows = await context.db
    .selectFrom('people')
    .leftJoin('person_shops', 'person_shops.person_id', 'people.id')
    .where('people.id', '=', id)
    .select(['people.everywhere', 'person_shops.shop_id', 'person_shops.role'])
    .execute()
  const shops = rows.flatMap(({ shop_id, role }) =>
    shop_id === null || role === null ? [] : [{ shopId: shop_id, role }],
  )
  return { everywhere: rows[0]?.everywhere ?? null, shops }
}

/**
 * True if the person may sign in with this password hash at this moment; locks the person until the transaction ends. A password that
 * is changed, or a person who is disabled, while a sign-in is verified ends that sign-in.
 */
export async function lockForSignIn(context: Context, id: string, password: string | null): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from people
    where id = ${id} and disabled_at is null and password is not distinct from ${password}
    for update`.execute(context.db)
  return rows.length > 0
}

/** False if a code of this time step, or of a later one, was used before. */
export async function claimTotpStep(context: Pick<Context, 'db'>, id: string, step: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update people set totp_last_step = ${step}
    where id = ${id} and (totp_last_step is null or totp_last_step < ${step})
    returning id`.execute(context.db)
  return rows.length > 0
}

/** Deletes people who have a role in this shop only. Returns how many. */
export async function deletePeopleOfShopAlone(
  context: Pick<Context, 'db'>,
  shopId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from people where id in (
      select people.id
      from person_shops as bound
      join people on people.id = bound.person_id
      where bound.shop_id = ${shopId} and people.everywhere is null and not exists (
        select 1 from person_shops as other where other.person_id = bound.person_id and other.shop_id <> bound.shop_id
      )
      limit ${sql.lit(limit)}
    )`.execute(context.db)
  return Number(numAffectedRows ?? 0)
}

/** The names of everyone with access to the shop, except superadmins, and of the caller. */
export function listColleagues(context: ShopContext, name: string, filter: PageRequest): Promise<Page<Colleague>> {
  const { principal, shop, now } = context
  const nowSeconds = Math.floor(now.getTime() / 1_000)
  const kind = principal.kind === 'person' ? 'person' : 'key'
  return fetchFilteredPage(
    context,
    {
      name: `colleagues ${shop.id} ${principal.keyId}`,
      rows: sql`from (
        select people.name, 'person' as kind
        from person_shops join people on people.id = person_shops.person_id
        where person_shops.shop_id = ${shop.id} and people.disabled_at is null and people.name <> ''
        union
        select name, 'person' from people
        where everywhere is not null and everywhere <> 'superadmin' and disabled_at is null and name <> ''
        union
        select api_keys.username, 'key'
        from api_key_shops join api_keys on api_keys.id = api_key_shops.key_id
        where api_key_shops.shop_id = ${shop.id} and (api_keys.expiration = 0 or api_keys.expiration > ${nowSeconds})
        union
        select username, 'key' from api_keys
        where everywhere is not null and everywhere <> 'superadmin' and (expiration = 0 or expiration > ${nowSeconds})
        union
        select ${name}::text, ${kind}::text
      ) as colleagues`,
      orderBy: sql`lower(name), name, kind`,
    },
    { page: filter.page, per_page: filter.perPage },
  )
}
