import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../harness/patience.ts'
import { createMigratedPostgresDatabase, createPostgresDatabase } from '../harness/prepared-stores.ts'
import {
  type Cleanup,
  type Credentials,
  callApi,
  launch,
  makeFolder,
  makeShop,
  operator,
  type RunningProcess,
  running,
  sharedByTests,
} from '../harness/process.ts'

const reason = process.env.TEST_DATABASE_URL ? '' : ' (skipped: set TEST_DATABASE_URL to run it)'

const listeners = `from pg_stat_activity
  where application_name = 'doorstep node' and datname = current_database()`

describe.skipIf(reason !== '')(`several nodes on one PostgreSQL${reason}`, () => {
  const shared = sharedByTests(async (cleanup) => startNodes(await createPostgresDatabase(), {}, cleanup))

  it('start side by side on an empty database: one migrates it, one prints credentials', async () => {
    const { nodes, credentials, query } = shared()
    for (const node of nodes) expect(await callApi(node, credentials, 'GET /v1/shops')).toMatchObject({ status: 200 })
    expect(nodes.filter((node) => node.credentials !== undefined)).toHaveLength(1)
    expect(await query('select 1 from api_keys')).toHaveLength(1)
    const [first, second] = nodes
    await makeShop(first, credentials, 'shared')
    expect(await callApi(second, credentials, 'GET /v1/shops/shared')).toMatchObject({ status: 200 })
  })

  it('reject a key after its deletion on another node', async () => {
    const { nodes, credentials } = shared()
    await expectRevocation(nodes, credentials)
  })

  it('reject a deleted key while their listening connections are down, and after they are back', async () => {
    const { nodes, credentials, query } = shared()
    expect(await query(`select pg_terminate_backend(pid) ${listeners}`)).toHaveLength(2)
    await expectRevocation(nodes, credentials)
    await until(async () => ((await query(`select pid ${listeners}`)).length === 2 ? true : undefined))
    await expectRevocation(nodes, credentials)
  })

  it('reject a key that was deleted while they could not be notified', async () => {
    const { nodes, credentials, query } = shared()
    const [first, second] = nodes
    unheard += 1
    const slug = `unheard-${unheard}`
    const key = await makeKey(first, credentials, slug)
    expect(await callApi(second, key, `GET /v1/shops/${slug}`)).toMatchObject({ status: 200 })
    const [{ pids }] = await query(`select array_agg(pid) pids ${listeners}`)
    await query(`select pg_terminate_backend(pid) ${listeners}`)
    await deleteKey(first, credentials, slug, key.id)
    // Its first beat follows when the node has read that it listens again.
    const beating = `select 1 ${listeners} and pid <> all('{${pids}}') and query = 'select 1'`
    await until(async () => ((await query(beating)).length === 2 ? true : undefined))
    expect(await callApi(second, key, `GET /v1/shops/${slug}`)).toMatchObject({ status: 401 })
  })

  it('adopt a changed ADMIN_API_KEY when they are restarted', async () => {
    const databaseUrl = await createMigratedPostgresDatabase()
    const before = await startNodes(databaseUrl, { ADMIN_API_KEY: operator.apiKey })
    await Promise.all(
      before.nodes.map(async (node) => {
        node.child.kill('SIGTERM')
        await node.ended
      }),
    )
    const changed = { username: 'admin', apiKey: 'another-key-of-the-operator' }
    const { nodes } = await startNodes(databaseUrl, { ADMIN_API_KEY: changed.apiKey })
    for (const node of nodes) {
      expect(await callApi(node, changed, 'GET /v1/shops')).toMatchObject({ status: 200 })
      expect(await callApi(node, operator, 'GET /v1/shops')).toMatchObject({ status: 401 })
    }
  })
})

describe.skipIf(reason !== '')(`PostgreSQL that allows too little ends a start with 1 and one line${reason}`, () => {
  it('if its role may not create tables', async () => {
    expect(await failAs('')).toMatch(
      /^Doorstep did not start\. The user of DATABASE_URL may not create and change tables \(permission denied for schema public\)\./,
    )
  })

  it('if it allows too few connections', async () => {
    expect(await failAs('create')).toMatch(
      /^Doorstep did not start: the store cannot be reached: too many connections for role .*\.$/,
    )
  })
})

let roles = 0

/** Starts the service with a role that may use all tables, over one connection. Returns what it complains about. */
async function failAs(privilegeOnSchema: '' | 'create'): Promise<string | undefined> {
  const databaseUrl = await createMigratedPostgresDatabase()
  roles += 1
  const role = `doorstep_limited_${process.pid}_${roles}`
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(async () => {
    await client.query(`drop owned by ${role}; drop role ${role}`)
    await client.end()
  })
  await client.query(`create role ${role} login connection limit 1 in role pg_read_all_data, pg_write_all_data`)
  if (privilegeOnSchema) await client.query(`grant ${privilegeOnSchema} on schema public to ${role}`)
  const limited = new URL(databaseUrl)
  limited.username = role
  const service = launch({ DATABASE_URL: limited.href, DATA_DIR: makeFolder(), ADMIN_API_KEY: operator.apiKey })
  expect(await service.ended).toEqual({ code: 1, signal: null })
  expect(service.output()).toBe('')
  const [line, ...others] = service.complaints().trimEnd().split('\n')
  expect(others).toEqual([])
  return line
}

type Nodes = [RunningProcess, RunningProcess]

/** Two nodes, started at the same moment. */
async function startNodes(databaseUrl: string, settings: Record<string, string>, cleanup: Cleanup = onTestFinished) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  cleanup(() => client.end())
  const common = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: 'the-key-of-all-nodes', ...settings }
  const launched = [1, 2].map(() => launch({ ...common, DATA_DIR: makeFolder(cleanup) }, { cleanup }))
  const nodes = (await Promise.all(launched.map(running))) as Nodes // two were started
  return {
    nodes,
    credentials: nodes.find((node) => node.credentials !== undefined)?.credentials,
    query: async (text: string) => (await client.query(text)).rows,
  }
}

async function makeKey(node: RunningProcess, credentials: Credentials | undefined, slug: string) {
  await makeShop(node, credentials, slug)
  const { body } = await callApi(node, credentials, `POST /v1/shops/${slug}/api-keys`, { body: { role: 'viewer' } })
  const { id, username, secret } = body as { id: string; username: string; secret: string } // checked by its use
  return { id, username, apiKey: secret }
}

async function deleteKey(node: RunningProcess, credentials: Credentials | undefined, slug: string, id: string) {
  const response = await callApi(node, credentials, `DELETE /v1/shops/${slug}/api-keys/${id}`)
  expect(response).toMatchObject({ status: 200 })
}

let revocations = 0
let unheard = 0

/** Deletes a key on the first node that the second has cached, and waits until the second rejects it. */
async function expectRevocation([first, second]: Nodes, credentials: Credentials | undefined): Promise<void> {
  revocations += 1
  const slug = `revoked-${revocations}`
  const key = await makeKey(first, credentials, slug)
  const use = async () => (await callApi(second, key, `GET /v1/shops/${slug}`)).status
  expect(await use()).toBe(200)
  await deleteKey(first, credentials, slug, key.id)
  await until(async () => ((await use()) === 401 ? true : undefined))
}
