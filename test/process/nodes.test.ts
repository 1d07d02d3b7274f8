import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  ask,
  type Credentials,
  launch,
  makeFolder,
  makeShop,
  type RunningProcess,
  running,
  until,
} from '../harness/process.ts'
import { createPostgresDatabase } from '../harness/service.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'

describe.skipIf(reason !== '')(`several nodes on one PostgreSQL${reason}`, { timeout: 120_000 }, () => {
  it('come up side by side on an empty database: migrated once, one pair of credentials', async () => {
    const { nodes, credentials, query } = await startNodes()
    for (const node of nodes) expect(await ask(node, credentials, 'GET', '/v1/shops')).toMatchObject({ status: 200 })
    expect(nodes.filter((node) => node.credentials !== undefined)).toHaveLength(1)
    expect(await query('select 1 from api_keys')).toHaveLength(1)
    const [first, second] = nodes
    await makeShop(first, credentials, 'shared')
    expect(await ask(second, credentials, 'GET', '/v1/shops/shared')).toMatchObject({ status: 200 })
  })

  it('take up a changed ADMIN_API_KEY together', async () => {
    const { databaseUrl, nodes } = await startNodes()
    for (const node of nodes) {
      node.child.kill('SIGTERM')
      await node.ended
    }
    const changed = { username: 'admin', apiKey: 'another-key-of-the-operator' }
    const { nodes: next } = await startNodes({ databaseUrl, settings: { ADMIN_API_KEY: changed.apiKey } })
    for (const node of next) expect(await ask(node, changed, 'GET', '/v1/shops')).toMatchObject({ status: 200 })
  })

  it('refuse a key within a second of its deletion on another', async () => {
    const { nodes, credentials } = await startNodes()
    await expectRevocation(nodes, credentials)
  })

  it('still do after the connections that listen were cut, also while they are', async () => {
    const { nodes, credentials, query } = await startNodes()
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'doorstep listener' and datname = current_database()`
    expect(await query(cut)).toHaveLength(2)
    await expectRevocation(nodes, credentials)
    const isHealed = async () =>
      (await query(cut.replace('pg_terminate_backend(pid)', 'pid'))).length === 2 ? true : undefined
    await until(isHealed, 10_000)
    await expectRevocation(nodes, credentials)
  })

  it('refuse a key that was deleted while they could not hear of it', async () => {
    const { nodes, credentials, query } = await startNodes()
    const [first, second] = nodes
    const key = await makeKey(first, credentials, 'unheard')
    expect(await ask(second, key, 'GET', '/v1/shops/unheard')).toMatchObject({ status: 200 })
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'doorstep listener' and datname = current_database()`)
    await deleteKey(first, credentials, 'unheard', key.id)
    await until(
      async () =>
        (
          await query(`select 1 from pg_stat_activity where application_name = 'doorstep listener'
          and datname = current_database() and state = 'idle' and query like 'listen%'`)
        ).length === 2
          ? true
          : undefined,
      10_000,
    )
    expect(await ask(second, key, 'GET', '/v1/shops/unheard')).toMatchObject({ status: 401 })
  })
})

type Nodes = [RunningProcess, RunningProcess]

/** Two nodes, started at the same moment, on a database that is empty unless one is given. */
async function startNodes(given?: { databaseUrl: string; settings: Record<string, string> }) {
  const databaseUrl = given?.databaseUrl ?? (await createPostgresDatabase())
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const settings = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: 'the-key-of-all-nodes', ...given?.settings }
  const launched = [1, 2].map(() => launch({ ...settings, DATA_DIR: makeFolder() }))
  const nodes = (await Promise.all(launched.map(running))) as Nodes // two were launched
  return {
    databaseUrl,
    nodes,
    credentials: nodes.find((node) => node.credentials !== undefined)?.credentials,
    query: async (text: string) => (await client.query(text)).rows,
  }
}

async function makeKey(node: RunningProcess, credentials: Credentials | undefined, slug: string) {
  await makeShop(node, credentials, slug)
  const { body } = await ask(node, credentials, 'POST', `/v1/shops/${slug}/api-keys`, { role: 'viewer' })
  const { id, username, secret } = body as { id: string; username: string; secret: string } // checked by use
  return { id, username, apiKey: secret }
}

async function deleteKey(node: RunningProcess, credentials: Credentials | undefined, slug: string, id: string) {
  const answer = await ask(node, credentials, 'DELETE', `/v1/shops/${slug}/api-keys/${id}`)
  expect(answer).toMatchObject({ status: 200 })
}

let revocations = 0

/** A key that the second node knows is deleted through the first, and refused by the second within a second. */
async function expectRevocation([first, second]: Nodes, credentials: Credentials | undefined): Promise<void> {
  revocations += 1
  const slug = `revoked-${revocations}`
  const key = await makeKey(first, credentials, slug)
  const use = async () => (await ask(second, key, 'GET', `/v1/shops/${slug}`)).status
  expect(await use()).toBe(200)
  await deleteKey(first, credentials, slug, key.id)
  const begun = performance.now()
  await until(async () => ((await use()) === 401 ? true : undefined), 5_000)
  expect(performance.now() - begun).toBeLessThan(1_000)
}
