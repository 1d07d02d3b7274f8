import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Finding } from '../../packages/cli/src/frame/io.ts'
import { examineInstallation } from '../../src/installation/doctor/examine.ts'
import { inspectStore } from '../../src/platform/store/inspect-store.ts'
import { migrationNames } from '../../src/platform/store/migrations.ts'
import { runCli } from '../harness/cli.ts'
import { inject } from '../harness/client.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { newFolder } from '../harness/new-folder.ts'
import { openMemoryStore } from '../harness/prepared-stores.ts'
import { clock } from '../harness/service.ts'

async function examine(settings: Record<string, string> = {}): Promise<Finding[]> {
  return (await examineInstallation({ DATA_DIR: newFolder(), ...settings })).findings
}

function find(findings: Finding[], check: string): Finding | undefined {
  return findings.find((finding) => finding.check === check)
}

describe('examination of an installation', () => {
  it('finds nothing wrong with a new one, and creates nothing', async () => {
    const folder = join(newFolder(), 'data')
    const findings = await examine({ DATA_DIR: folder })
    expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'settings good',
      'store good',
      'encryption key good',
      'disk good',
    ])
    expect(existsSync(folder)).toBe(false)
  })

  it('names a setting that is wrong or misspelt, and quotes no secret', async () => {
    expect(find(await examine({ PORT: 'many' }), 'settings')).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('PORT is wrong'),
    })
    expect(find(await examine({ SMTP_HOSTNAME: 'mail.example' }), 'settings')).toMatchObject({
      state: 'warning',
      message: 'SMTP_HOSTNAME is set, but there is no such setting.',
    })
    const short = await examine({ ENCRYPTION_KEY: 'tooshort' })
    expect(JSON.stringify(short)).not.toContain('tooshort')
  })

  it('says why a database cannot be reached, without its password', async () => {
    const findings = await examine({ DATABASE_URL: 'postgres://me:very-secret@127.0.0.1:1/shop' })
    expect(find(findings, 'store')).toMatchObject({ state: 'problem', advice: expect.stringContaining('DATABASE_URL') })
    expect(JSON.stringify(findings)).not.toContain('very-secret')
  })

  it('expects a public address in production', async () => {
    expect(find(await examine({ NODE_ENV: 'production' }), 'public address')).toMatchObject({ state: 'problem' })
    const plain = await examine({ NODE_ENV: 'production', PUBLIC_URL: 'http://doorstep.example' })
    expect(find(plain, 'public address')).toMatchObject({ state: 'warning' })
  })

  it('signs in to the mail server, and sends nothing', async () => {
    const server = await startMailServer()
    onTestFinished(() => server.close())
    const settings = {
      SMTP_HOST: server.host,
      SMTP_PORT: String(server.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM_ADDRESS: 'a@shop.example',
    }
    expect(find(await examine(settings), 'mail server')).toMatchObject({ state: 'good' })
    const wrong = { ...settings, SMTP_USERNAME: 'doorstep', SMTP_PASSWORD: 'wrong-password' }
    const rejected = find(await examine(wrong), 'mail server')
    expect(rejected).toMatchObject({ state: 'problem', advice: expect.stringContaining('SMTP_PASSWORD') })
    expect(JSON.stringify(rejected)).not.toContain('wrong-password')
    expect(server.mails).toEqual([])
  })
})

describe('inspection of a store', () => {
  it('compares its migrations with those of this version', async () => {
    const store = await openMemoryStore()
    onTestFinished(() => store.close())
    const rename = async (from: string, to: string) => {
      const client = await store.pool.connect()
      await client.query('update schema_migrations set name = $1 where name = $2', [to, from])
      client.release()
    }
    expect(await inspectStore(store)).toMatchObject({ pending: [], unknown: [] })
    const newest = migrationNames().at(-1) ?? ''
    await rename(newest, '9999_future.sql')
    const state = await inspectStore(store)
    await rename('9999_future.sql', newest)
    expect([state.pending, state.unknown]).toEqual([[newest], ['9999_future.sql']])
  })
})

describe('doorstep doctor', () => {
  const server = { examine: async () => ({ findings: [], publicUrl: undefined }) }

  it('looks at the service and its clock', async () => {
    const run = await runCli(['doctor', '--json'], { server, fetch: dated(0) })
    expect(run.code).toBe(0)
    expect(run.json.findings.map(({ check, state }: Finding) => `${check} ${state}`)).toEqual([
      'service good',
      'service clock good',
      'credentials good',
    ])
    const late = await runCli(['doctor'], { server, fetch: dated(-90_000) })
    expect(late.code).toBe(7)
    expect(late.stdout).toMatch(/The clock of this machine is 9\d seconds ahead of that of the service\./)
    expect(late.stdout).toContain('\n1 problem, 0 warnings.\n')
  })

  it('reports a key that the service does not accept, without quoting it', async () => {
    const auth = { username: 'nobody', apiKey: 'not-a-key-of-the-service' }
    const run = await runCli(['doctor'], { server, auth })
    expect(run.code).toBe(7)
    expect(run.stdout).toContain('does not accept the key of nobody')
    expect(run.stdout + run.stderr).not.toContain(auth.apiKey)
  })

  it('reports an address at which nothing responds', async () => {
    const offline = async () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
    const examined = { examine: async () => ({ findings: [], publicUrl: 'https://public.example' }) }
    const run = await runCli(['doctor', '--json'], { server: examined, fetch: offline })
    expect(run.json).toMatchObject({
      is_healthy: false,
      findings: [
        { check: 'service', state: 'problem', message: expect.stringContaining('connect ECONNREFUSED') },
        { check: 'public address', state: 'problem' },
      ],
    })
  })

  it('notices a public address that leads elsewhere', async () => {
    const examined = { examine: async () => ({ findings: [], publicUrl: 'https://public.example' }) }
    const parked = async (request: Request) =>
      request.url.startsWith('https://public.example') ? new Response('<h1>Parked</h1>') : inject(request)
    const run = await runCli(['doctor'], { server: examined, fetch: parked })
    expect(run.code).toBe(7)
    expect(run.stdout).toContain('https://public.example responds with 200, and not as the service does.')
  })
})

/** The service, with a clock that is wrong by so much. */
function dated(skewMs: number) {
  return async (request: Request) => {
    const response = await inject(request)
    response.headers.set('date', new Date(clock.now().getTime() + skewMs).toUTCString())
    return response
  }
}
