import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPersonByEmail, findPersonRecord, listColleagues, listPeople } from '../../src/access/people/store.ts'
import {
  deleteEndedSessions,
  deleteOldestSessions,
  findSession,
  listSessions,
  recordSessionUse,
} from '../../src/access/sessions/store.ts'
import type { ShopContext } from '../../src/platform/foundation/context.ts'
import { explain, indexesOf, nodesOf, type Plan, rowsReadBy } from '../harness/plans.ts'
import { theService, useEmptyStore } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

useEmptyStore()

const people = 2_000
const sessionsOfEach = 3

let context: ShopContext
let personId: string
let token: Buffer

beforeAll(async () => {
  const [{ slug }, other] = [await makeShop(), await makeShop()]
  const service = await theService()
  const { db } = service.database
  const now = new Date()
  await sql`
    insert into people (id, email, name, created_at)
    select gen_random_uuid(), 'plan-' || n || '@plans.example', 'Person ' || n, ${now} from generate_series(1, ${sql.lit(people)}) as n`.execute(
    db,
  )
  // A small team in one shop, everybody else in another.
  for (const [shop, of] of [
    [slug, sql`email like 'plan-10_@plans.example'`],
    [other.slug, sql`email not like 'plan-10_@plans.example'`],
  ] as const) {
    await sql`
      insert into person_shops (shop_id, person_id, role)
      select shops.id, people.id, 'viewer' from shops, people
      where shops.slug = ${shop} and people.email like 'plan-%' and ${of}`.execute(db)
  }
  await sql`
    insert into sessions (id, token_hash, person_id, created_at, last_used_at, expires_at, user_agent, network)
    select gen_random_uuid(), sha256((people.id || n::text)::bytea), people.id, ${now}, ${now},
      ${now}::timestamptz + interval '30 days', '', ''
    from people, generate_series(1, ${sql.lit(sessionsOfEach)}) as n where email like 'plan-%'`.execute(db)
  await sql`vacuum analyze people, person_shops, sessions, sign_in_links, api_keys, api_key_shops`.execute(db)
  const shop = await db.selectFrom('shops').where('slug', '=', slug).selectAll().executeTakeFirstOrThrow()
  context = { ...service.context(), now, shop }
  const one = await db
    .selectFrom('sessions')
    .innerJoin('person_shops', 'person_shops.person_id', 'sessions.person_id')
    .where('person_shops.shop_id', '=', shop.id)
    .select(['sessions.token_hash', 'person_shops.person_id'])
    .executeTakeFirstOrThrow()
  personId = one.person_id
  token = one.token_hash
})

/** No statement reads more rows of these large tables than it needs. */
function expectFew(plans: Plan[], rows: number): void {
  const large = ['people', 'person_shops', 'sessions']
  for (const node of plans.flatMap(nodesOf)) {
    if (!large.includes(node['Relation Name'] ?? '')) continue
    const read = rowsReadBy(node)
    expect(read, `${node['Node Type']} of ${node['Relation Name']}`).toBeLessThanOrEqual(rows)
  }
}

describe('with many people and sessions', () => {
  it('a request finds its session by the token', async () => {
    const plans = await explain(context, (context) => findSession(context, token))
    expect(indexesOf(plans[0])).toContain('sessions_token')
    expectFew(plans, 1)
  })

  it('a sign-in finds the account by the address', async () => {
    const plans = await explain(context, (context) => findPersonByEmail(context, 'plan-77@plans.example'))
    expect(indexesOf(plans[0])).toContain('people_email')
    expectFew(plans, 1)
  })

  it('the sessions of one are listed, limited and recorded by their owner', async () => {
    const owner = { kind: 'person', id: personId } as const
    expectFew(await explain(context, (context) => listSessions(context, owner, 100)), sessionsOfEach)
    expectFew(await explain(context, (context) => deleteOldestSessions(context, owner, 1)), sessionsOfEach)
    const used = new Map([[personId, context.now]])
    expectFew(await explain(context, (context) => recordSessionUse(context, used)), 1)
  })

  it('ended sessions are found by their age', async () => {
    expectFew(await explain(context, (context) => deleteEndedSessions(context)), 0)
  })

  it("a shop's people and colleagues are read without those of others", async () => {
    const scope = { shopIds: [context.shop.id], withSuperadmins: true }
    expectFew(await explain(context, (context) => listPeople(context, { page: 1, per_page: 30 }, scope)), 60)
    const page = { page: 1, perPage: 100 }
    expectFew(await explain(context, (context) => listColleagues(context, 'Me', page)), 60)
    expectFew(await explain(context, (context) => findPersonRecord(context, personId)), sessionsOfEach)
  })
})
