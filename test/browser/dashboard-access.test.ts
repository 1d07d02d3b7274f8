import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { codeAt } from '../../src/access/people/totp.ts'
import { createSignInLink } from '../../src/access/sessions/links.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { expectGoodLooks, go, openDashboard, phone, picture, settled, visit } from '../harness/dashboard.ts'
import { startIdentityProvider } from '../harness/identity-provider.ts'
import { accept, anyEmail, invite, makeMember, openBrowser, password } from '../harness/people.ts'
import { call, clock, openTestDatabase, startTestService, superadmin } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'
import { openStage } from '../harness/stage.ts'

afterEach(() => clock.reset())

const otherPassword = 'nine letters to the sea'
const codeNow = (secret: string, steps = 0) => codeAt(secret, Math.floor(clock.now().getTime() / 30_000) + steps)

async function openShop(fields: Record<string, unknown> = {}) {
  const { service } = await openDashboard()
  return makeShop({ name: 'River & Pine', ...fields }, service)
}

async function typeSignIn(page: Page, name: string, secret: string): Promise<void> {
  await page.getByLabel('E-mail address or user name').fill(name)
  await page.getByLabel('Password or API key').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const toast = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor()

describeInBrowser('signing in, in a browser', () => {
  it('works with an API key, and opens the page that was asked for', async () => {
    const shop = await openShop()
    const { username, apiKey } = await shop.credentials('admin')
    await visit({}, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/keys?q=river`)
      await expectGoodLooks(page, 'access-sign-in')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Type your password, or the API key.').waitFor()
      await typeSignIn(page, username, 'wrong')
      await page.getByRole('alert').waitFor()
      await page.getByText('I cannot sign in').click()
      await expectGoodLooks(page, 'access-sign-in-wrong')
      await typeSignIn(page, username, apiKey)
      await page.waitForURL(`**/dashboard/${shop.slug}/settings/keys?q=river`)
      // No script can read the session.
      expect(await page.evaluate('document.cookie')).toBe('')
    })
  })

  it('works with the keyboard alone, on a phone and in German', async () => {
    const shop = await openShop()
    const { username, apiKey } = await shop.credentials('viewer')
    await visit({ size: phone, language: 'de', scheme: 'dark' }, async (page) => {
      await go(page, '/dashboard/sign-in')
      await picture(page, 'access-sign-in-german')
      await page.keyboard.type(username)
      await page.keyboard.press('Tab')
      await page.keyboard.type(apiKey)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/dashboard/${shop.slug}`)
    })
  })

  it('works with a link, once', async () => {
    const shop = await openShop()
    const { service, origin } = await openDashboard()
    const { url } = await createSignInLink(service.context(), { shopSlug: shop.slug })
    const address = url.replace(/^https?:\/\/[^/]+/, origin)
    await visit({}, async (page) => {
      await page.goto(address)
      await page.waitForURL(`**/dashboard/${shop.slug}`)
      expect(page.url()).not.toContain('token')
    })
    await visit({}, async (page) => {
      await page.goto(address)
      await page.getByText('This link was used or has expired').waitFor()
      expect(page.url()).not.toContain('token')
      await expectGoodLooks(page, 'access-dead-link')
    })
  })

  it('leads nowhere but into the dashboard', async () => {
    await visit({ as: 'superadmin' }, async (page, origin) => {
      for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
        await page.goto(`/dashboard/sign-in?to=${encodeURIComponent(to)}`)
        await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
        expect(new URL(page.url()).origin).toBe(origin)
      }
    })
  })

  it('works through the provider of the company', async () => {
    const provider = await startIdentityProvider()
    const settings = {
      PORT: '0',
      HOST: '127.0.0.1',
      PUBLIC_URL: '',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.client.id,
      OIDC_CLIENT_SECRET: provider.client.secret,
      OIDC_ROLES: 'support=viewer',
      OIDC_NAME: 'Pine account',
    }
    await openDashboard()
    const service = await startTestService(settings, await openTestDatabase())
    const { browser } = await openStage()
    const context = await browser.newContext({ baseURL: service.url, locale: 'en-GB', reducedMotion: 'reduce' })
    onTestFinished(async () => {
      await context.close()
      await service.stop()
      await provider.close()
    })
    provider.register(`${service.url}/auth/oidc/callback`)
    const shop = await makeShop({ name: 'River & Pine' }, service)
    const page = await context.newPage()
    provider.account = { sub: 'stranger', email: 'stranger@shop.example', email_verified: true, groups: [] }
    await go(page, `/dashboard/${shop.slug}/settings/shop`)
    await expectGoodLooks(page, 'access-sign-in-oidc')
    await page.getByRole('link', { name: 'Continue with Pine account' }).click()
    await page.getByText('Your account has no access to any shop yet').waitFor()
    await expectGoodLooks(page, 'access-sign-in-oidc-rejected')
    provider.account = { sub: 'mia', email: 'mia@shop.example', email_verified: true, name: 'Mia', groups: ['support'] }
    await context.clearCookies()
    await go(page, `/dashboard/${shop.slug}/settings/shop`)
    await page.getByRole('link', { name: 'Continue with Pine account' }).click()
    await page.waitForURL(`**/dashboard/${shop.slug}/settings/shop`)
    await go(page, '/dashboard/account')
    await page.getByText('You sign in with your company account').waitFor()
  })
})

describeInBrowser('people, in a browser', () => {
  it('are invited with a link, set up their account, and get a second factor', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    const email = anyEmail()
    let link = ''
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/people`)
      await expectGoodLooks(page, 'access-people-empty')
      await page.getByRole('button', { name: 'Invite' }).first().click()
      await page.getByLabel('E-mail address', { exact: true }).fill('not-an-address')
      await page.getByRole('button', { name: 'Invite this person' }).click()
      await page.getByText('Type a complete e-mail address.').waitFor()
      await page.getByLabel('E-mail address', { exact: true }).fill(email)
      await expectGoodLooks(page, 'access-invite')
      await page.getByRole('button', { name: 'Invite this person' }).click()
      link = await page.getByRole('region', { name: 'Link' }).locator('code').innerText()
      await expectGoodLooks(page, 'access-invite-link')
      await page.getByRole('button', { name: 'Copy' }).click()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('link', { name: email }).waitFor()
      await page.getByRole('button', { name: 'Invite' }).first().click()
      await page.getByLabel('E-mail address', { exact: true }).fill(email)
      await page.getByRole('button', { name: 'Invite this person' }).click()
      await page.getByText('This address has an account.').waitFor()
    })
    await visit({}, async (page, origin) => {
      await go(page, link.replace(/^https?:\/\/[^/]+/, origin))
      await expectGoodLooks(page, 'access-invitation')
      await page.getByLabel('New password').fill('password123')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Choose another one').waitFor()
      await page.getByLabel('Your name').fill('Mia Sommer')
      await page.getByLabel('New password').fill(password)
      await page.getByRole('button', { name: 'Show' }).click()
      await picture(page, 'access-invitation-filled')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.waitForURL(`**/dashboard/${shop.slug}`)

      await go(page, '/dashboard/account')
      await expectGoodLooks(page, 'access-account')
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByLabel('Your password').fill('wrong')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('This is not your current password.').waitFor()
      await page.getByLabel('Your password').fill(password)
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('I cannot scan it').click()
      const secret = await page.getByRole('region', { name: 'Secret to type into the app' }).locator('code').innerText()
      await expectGoodLooks(page, 'access-second-factor')
      await page.getByLabel('Six-digit code').fill('000000')
      await page.getByRole('button', { name: 'Switch on' }).click()
      await page.getByText('This code is wrong or was used before.').waitFor()
      // On a slow machine the next code may be due by the time that this one is tried again.
      const used = codeNow(secret)
      await page.getByLabel('Six-digit code').fill(used)
      await page.getByRole('button', { name: 'Switch on' }).click()
      await toast(page, 'Second factor is on')

      await page.getByRole('button', { name: 'Account: Mia Sommer' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('**/sign-in')
      await typeSignIn(page, email, password)
      await page.getByText('One more step').waitFor()
      await expectGoodLooks(page, 'access-code')
      await page.getByLabel('Six-digit code').fill(used)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This code is wrong or was used before').waitFor()
      clock.advance(30_000)
      await page.getByLabel('Six-digit code').fill(codeNow(secret))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`**/dashboard/${shop.slug}`)
      expect(await openBrowser({ email, password, totp: codeNow(secret, 1) }, service)).toBeDefined()
    })
  })

  it('who follow a dead link are told what to do', async () => {
    await visit({}, async (page) => {
      await go(page, '/dashboard/invitation#token=used')
      await page.getByText('This link no longer works').waitFor()
      await expectGoodLooks(page, 'access-invitation-dead')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL('**/sign-in')
    })
  })

  it('reset a forgotten password with a link', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    const member = await makeMember([{ shop_slug: shop.slug, role: 'viewer' }], service)
    const { link } = (await call('POST', `/v1/people/${member.uuid}/reset`, {}, service)).body
    await visit({}, async (page, origin) => {
      await go(page, link.replace(/^https?:\/\/[^/]+/, origin))
      await expectGoodLooks(page, 'access-reset')
      await page.getByLabel('New password').fill(otherPassword)
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await page.waitForURL(`**/dashboard/${shop.slug}`)
      expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
    })
  })

  it('are found among a thousand, changed, disabled and removed', async () => {
    const shop = await openShop()
    const second = await openShop({ name: 'Second shop' })
    const { service } = await openDashboard()
    await fill(shop.slug, 1_000)
    const member = await makeMember([{ shop_slug: shop.slug, role: 'viewer' }], service)
    const elsewhere = await invite(
      [
        { shop_slug: shop.slug, role: 'viewer' },
        { shop_slug: second.slug, role: 'viewer' },
      ],
      {},
      service,
    )
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/people`)
      await expectGoodLooks(page, 'access-people')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.waitForURL('**page=2')
      await page.keyboard.press('/')
      await page.keyboard.type(member.email)
      await page.getByRole('link', { name: 'Mia Sommer' }).click()
      await page.waitForURL(`**person=${member.uuid}**`)
      await settled(page)
      await expectGoodLooks(page, 'access-person')
      await page.getByLabel('Role in River & Pine').selectOption('admin')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'Saved')
      const role = async () => (await call('GET', `/v1/people/${member.uuid}`, {}, service)).body.shops[0].role
      expect(await role()).toBe('admin')
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(role).toBe('viewer')

      await page.getByRole('link', { name: 'Mia Sommer' }).click()
      await page.getByRole('button', { name: 'Password reset link' }).click()
      await page.getByText('Reset link ready').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('link', { name: 'Mia Sommer' }).click()
      await page.getByRole('button', { name: 'Disable' }).click()
      await toast(page, 'Disabled. 1 session ended.')
      expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
      await page.getByRole('link', { name: 'Mia Sommer' }).click()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('Loses access to 1 shop.').waitFor()
      await expectGoodLooks(page, 'access-person-remove')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await toast(page, 'Mia Sommer was removed')
      await page.getByText('Nothing matches').waitFor()

      // With rights that this admin does not have; the address opens the dialog.
      await go(page, `/dashboard/${shop.slug}/settings/people?person=${elsewhere.uuid}`)
      await page.getByText('This person also has rights in shops').waitFor()
      await expectGoodLooks(page, 'access-person-shared')
      await page.getByRole('button', { name: 'Remove from this shop' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove from this shop' }).click()
      await toast(page, 'has no access to this shop any more')
    })
  })

  it('get roles in all shops from a superadmin', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    const person = await invite([{ shop_slug: shop.slug, role: 'viewer' }], {}, service)
    await accept(person.token, {}, service)
    await visit({ as: 'superadmin' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/people?person=${person.uuid}`)
      await page.getByLabel('All shops').selectOption('viewer')
      await page.getByText(/other shops?$/).click()
      await picture(page, 'access-person-all-shops')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'Saved')
      const { shops } = (await call('GET', `/v1/people/${person.uuid}`, {}, service)).body
      expect(shops).toContainEqual({ shop_slug: '*', role: 'viewer' })
    })
  })

  it('see where they are signed in, end the other sessions and change their password', async () => {
    const shop = await openShop()
    const { service, origin } = await openDashboard()
    const member = await makeMember([{ shop_slug: shop.slug, role: 'viewer' }], service)
    await visit({}, async (page) => {
      await go(page, '/dashboard/sign-in')
      await typeSignIn(page, member.email, password)
      await page.waitForURL(`**/dashboard/${shop.slug}`)
      await go(page, '/dashboard/account')
      await page.getByText('This one').waitFor()
      await page.getByRole('button', { name: 'End', exact: true }).click()
      await toast(page, '1 session ended')
      expect((await member.browser.call('GET', '/v1/session')).status).toBe(401)
      const other = await openBrowser({ email: member.email, password }, service)
      await page.getByLabel('Current password').fill(password)
      await page.getByLabel('New password').fill(otherPassword)
      await page.getByRole('button', { name: 'Change password' }).click()
      await toast(page, 'Password changed. 1 other session ended.')
      expect((await other.call('GET', '/v1/session')).status).toBe(401)
      await page.getByLabel('Name', { exact: true }).fill('Mia Winter')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Account: Mia Winter' }).waitFor()
      expect(new URL(page.url()).origin).toBe(origin)
    })
  })

  it('are warned that somebody has their password, until they dismiss it or change it', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    const member = await makeMember([{ shop_slug: shop.slug, role: 'viewer' }], service)
    const { uuid } = member
    const warn = async () => {
      const { db } = service.context()
      await sql`
        update people set password_warning_at = ${clock.now()}, password_warning_network = '203.0.113.7'
        where id = ${uuid}`.execute(db)
    }
    await warn()
    await visit({}, async (page) => {
      await go(page, '/dashboard/sign-in')
      await typeSignIn(page, member.email, password)
      await page.waitForURL(`**/dashboard/${shop.slug}`)
      const warning = page.getByRole('alert').filter({ hasText: 'Somebody has your password' })
      await warning.getByText('203.0.113.7').waitFor()
      await expectGoodLooks(page, 'access-password-warning')
      await warning.getByRole('button', { name: 'It was me' }).click()
      await warning.waitFor({ state: 'detached' })
      await warn()
      await page.reload()
      await warning.getByRole('link', { name: 'Change password' }).click()
      await page.waitForURL('**/dashboard/account')
      await page.getByLabel('Current password').fill(password)
      await page.getByLabel('New password').fill(otherPassword)
      await page.getByRole('button', { name: 'Change password' }).click()
      await toast(page, 'Password changed.')
      await warning.waitFor({ state: 'detached' })
    })
  })

  it('are not shown to those who may not manage them', async () => {
    const shop = await openShop()
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/people`)
      await page.getByText('Your role does not allow this, or').waitFor()
      await expectGoodLooks(page, 'access-people-forbidden')
      expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0)
    })
  })
})

describeInBrowser('API keys, in a browser', () => {
  it('are created with a secret that is shown once, and revoked', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    await visit({ as: { shop, role: 'admin' } }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/keys`)
      await expectGoodLooks(page, 'access-keys')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByLabel('User name', { exact: true }).fill('ware house')
      await page.getByRole('button', { name: 'Create key' }).last().click()
      await page.getByText('without blanks and colons').waitFor()
      await page.getByLabel('User name', { exact: true }).fill('warehouse')
      await page.getByLabel('Expires').selectOption('90')
      await expectGoodLooks(page, 'access-key-new')
      await page.getByRole('button', { name: 'Create key' }).last().click()
      const secret = await page.getByRole('region', { name: 'API key', exact: true }).locator('code').innerText()
      await expectGoodLooks(page, 'access-key-secret')
      await page.getByRole('button', { name: 'I have stored it' }).click()
      const auth = { username: 'warehouse', apiKey: secret }
      const use = async () => (await call('GET', `/v1/shops/${shop.slug}`, { auth }, service)).status
      expect(await use()).toBe(200)
      const row = page.getByRole('row').filter({ hasText: 'warehouse' })
      await row.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('Every program that uses it stops working at once').waitFor()
      await expectGoodLooks(page, 'access-key-revoke')
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await toast(page, 'Key of "warehouse" revoked')
      expect(await use()).toBe(401)
    })
  })

  it('of the whole installation are shown to superadmins, a thousand of them', async () => {
    const shop = await openShop()
    const { service } = await openDashboard()
    await sql`
      insert into api_keys (id, username, secret_hash, secret_ending, everywhere, expiration, created_at)
      select 'many' || n, 'program-' || n, sha256(('many' || n)::bytea), '0000', 'viewer', 0, now()
      from generate_series(1, 1000) as n`.execute(service.database.db)
    onTestFinished(async () => {
      await sql`delete from api_keys where id like 'many%'`.execute(service.database.db)
    })
    await visit({ as: 'superadmin' }, async (page) => {
      await go(page, `/dashboard/${shop.slug}/settings/keys?scope=all`)
      await expectGoodLooks(page, 'access-keys-all')
      await page.getByRole('searchbox').fill('program-999')
      await page.waitForURL('**q=program-999**')
      await page.getByText('1–1 of 1').waitFor()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByLabel('Valid for').selectOption('all')
      await page.getByLabel('User name', { exact: true }).fill('everywhere')
      await page.getByRole('button', { name: 'Create key' }).last().click()
      await page.getByText('The key is shown only now').waitFor()
    })
    const { tokens } = (await call('GET', '/v1/api-keys', { auth: superadmin }, service)).body
    expect(tokens).toContainEqual(
      expect.objectContaining({ username: 'everywhere', shops: [{ shop_slug: '*', role: 'editor' }] }),
    )
  })
})

/** People of a shop, without their passwords. */
async function fill(slug: string, count: number): Promise<void> {
  const { service } = await openDashboard()
  const { db } = service.database
  await sql`
    insert into people (id, email, name, created_at, last_sign_in_at, password)
    select gen_random_uuid(), 'many-' || n || '@shop.example', 'Person ' || lpad(n::text, 4, '0'), now(), now(), 'x'
    from generate_series(1, ${sql.lit(count)}) as n`.execute(db)
  await sql`
    insert into person_shops (shop_id, person_id, role)
    select shops.id, people.id, (array['viewer', 'editor', 'admin'])[1 + length(people.email) % 3]
    from shops, people where shops.slug = ${slug} and people.email like 'many-%'`.execute(db)
}
