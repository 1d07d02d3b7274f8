import { describe, expect, it } from 'vitest'
import { offerSignIn } from '../../src/installation/setup/offer-sign-in.ts'
import { signInGuide, welcome } from '../../src/installation/setup/welcome.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { call, testConfig, theService } from '../harness/service.ts'

const credentials = { username: 'admin', apiKey: 'a-key-that-was-just-created' }

interface Start {
  engine?: 'embedded' | 'postgres'
  isProduction?: boolean
  hasNewCredentials?: boolean
  hasDashboard?: boolean
}

/** The offer of a start, on the service of this process as if it were started so. */
async function offer(start: Start): Promise<string | undefined> {
  const service = await theService()
  const started = {
    context: service.context,
    database: { engine: start.engine ?? 'embedded' },
    dashboard: start.hasDashboard === false ? undefined : service.dashboard,
    newCredentials: start.hasNewCredentials ? credentials : undefined,
  }
  const config: Config = { ...testConfig(), isProduction: start.isProduction ?? false }
  return offerSignIn(started, config, 'demo')
}

describe('sign-in link of the welcome', () => {
  it('is printed at every start of a trial, and at the start that prints a new key', async () => {
    const link = expect.stringMatching(/\/dashboard\/sign-in#token=[\w-]{43}&shop=demo$/)
    expect(await offer({})).toEqual(link)
    expect(await offer({ isProduction: true, hasNewCredentials: true })).toEqual(link)
    expect(await offer({ engine: 'postgres', hasNewCredentials: true })).toEqual(link)
  })

  it('is not printed where the output may be collected, nor without a dashboard', async () => {
    expect(await offer({ isProduction: true })).toBeUndefined()
    expect(await offer({ engine: 'postgres' })).toBeUndefined()
    expect(await offer({ hasDashboard: false })).toBeUndefined()
  })

  it('signs in once', async () => {
    const link = await offer({})
    const token = new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token')
    const signIn = () =>
      call('POST', '/v1/session', {
        auth: null,
        body: { sign_in_token: token },
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    const first = await signIn()
    expect([first.status, String(first.headers['set-cookie'])]).toEqual([200, expect.stringContaining('HttpOnly')])
    expect((await signIn()).status).toBe(401)
  })

  it('has a line of its own', () => {
    expect(signInGuide('http://localhost/dashboard/sign-in#token=x').split('\n')).toContain(
      '    http://localhost/dashboard/sign-in#token=x',
    )
  })
})

describe('welcome', () => {
  it('names the dashboard, if this node has one', async () => {
    const service = await theService()
    expect(welcome(service, testConfig())).toMatch(/ {2}Dashboard +\S+\/dashboard\n/)
    expect(welcome({ ...service, dashboard: undefined }, testConfig())).not.toContain('Dashboard')
  })
})
