import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { inject } from '../harness/client.ts'
import { newFolder } from '../harness/new-folder.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

const noSettings = { auth: null, env: { DOORSTEP_URL: '' } }

describe('doorstep login', () => {
  let shop: TestShop
  let auth: { username: string; apiKey: string }
  const url = 'https://doorstep.example'

  beforeAll(async () => {
    shop = await makeShop()
    auth = await shop.credentials('editor')
  })

  const logIn = async (home: string, ...more: string[]) =>
    runCli(['login', '--url', url, '--username', auth.username, ...more], {
      ...noSettings,
      home,
      input: `${auth.apiKey}\n`,
    })

  it('saves a connection that other commands use, readable to its owner only', async () => {
    const home = newFolder()
    const run = await logIn(home)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toContain(
      `Connected to ${url} as ${auth.username}, shop ${shop.slug}.\nSaved as profile "default"`,
    )
    expect(run.stdout).not.toContain(auth.apiKey)
    expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(fileOf(home))).mode & 0o777).toBe(0o700)
    const { json } = await runCli(['status', '--json'], { ...noSettings, home })
    expect(json).toMatchObject({
      url,
      username: auth.username,
      shop: shop.slug,
      profile: 'default',
      origins: { url: 'profile', credentials: 'profile', shop: 'profile' },
    })
    const { stdout } = await runCli(['status'], { ...noSettings, home })
    expect(stdout).toContain(`role     editor in ${shop.slug}\n`)
  })

  it('saves nothing that the service rejects', async () => {
    const home = newFolder()
    const run = await runCli(['login', '--url', url], { ...noSettings, home, input: 'wrong' })
    expect(run.code).toBe(4)
    expect(() => statSync(fileOf(home))).toThrow('ENOENT')
    expect((await runCli(['login', '--url', url], { ...noSettings, home, input: '' })).code).toBe(2)
  })

  it('keeps several profiles, of which the last one is used', async () => {
    const home = newFolder()
    await logIn(home)
    await logIn(home, '--profile', 'live', '--json')
    const used = async (...argv: string[]) =>
      (await runCli(['status', '--json', ...argv], { ...noSettings, home })).json
    expect((await used()).profile).toBe('live')
    expect((await used('--profile', 'default')).profile).toBe('default')
    const wrong = await runCli(['status', '--profile', 'lvie'], { ...noSettings, home })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean "live"?')])
    expect((await runCli(['logout', '--json'], { ...noSettings, home })).json).toEqual({
      removed: 'live',
      current: 'default',
    })
    expect((await used()).profile).toBe('default')
    expect((await runCli(['logout'], { ...noSettings, home })).stdout).toBe('Removed profile "default".\n')
    expect((await runCli(['logout'], { ...noSettings, home })).code).toBe(2)
    expect(readFileSync(fileOf(home), 'utf8')).not.toContain(auth.apiKey)
  })

  it('asks for what is missing on a terminal, and does not show the key', async () => {
    const home = newFolder()
    const input = `${url}\n${auth.username}\n${auth.apiKey}\n`
    const run = await runCli(['login'], { ...noSettings, home, input, isTerminal: true })
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('API key: ')
    expect(run.stderr).not.toContain(auth.apiKey)
  })

  it('never sends the key of one service to another one', async () => {
    const home = newFolder()
    await logIn(home)
    const run = await runCli(['status', '--url', 'http://elsewhere.example'], { ...noSettings, home })
    expect([run.code, run.stderr]).toEqual([4, expect.stringContaining('for http://elsewhere.example.')])
  })

  it('repairs the permissions of its file, and explains a broken one', async () => {
    const home = newFolder()
    await logIn(home)
    chmodSync(fileOf(home), 0o644)
    await runCli(['status'], { ...noSettings, home })
    expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600)
    writeFileSync(fileOf(home), '{')
    const run = await runCli(['status'], { ...noSettings, home })
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('is not a file of profiles.')])
  })

  it('warns if the key is sent in plain text to another machine', async () => {
    const logInAt = (address: string) =>
      runCli(['login', '--url', address, '--username', auth.username], { ...noSettings, input: auth.apiKey })
    expect((await logInAt('http://doorstep.example')).stderr).toContain('use https')
    expect((await logInAt('http://localhost:8080')).stderr).toBe('')
  })

  it('rejects names of profiles that are not plain', async () => {
    expect((await logIn(newFolder(), '--profile', '__proto__')).code).toBe(2)
  })
})

describe('connection', () => {
  it('shows what the service ignores of a request, beside the result', async () => {
    const shop = await makeShop()
    const fetch = (request: Request) => {
      const url = new URL(request.url)
      url.searchParams.append('colour', 'red')
      return inject(new Request(url, request))
    }
    const shown = await runCli(['keys', 'list', '--json'], { shop, fetch })
    expect(shown.stderr).toBe('Warning: query.colour: ignored: unknown field\n')
    const listed = await runCli(['shops', 'list', '--json'], { fetch })
    expect(listed.json).toEqual(expect.any(Array))
    expect(listed.stderr).toContain('The service left out or ignored parts of the request: 1.')
    expect((await runCli(['shops', 'list', '--json'])).stderr).toBe('')
  })

  it('prefers options to the environment', async () => {
    const shop = await makeShop()
    const { json } = await runCli(['status', '--url', 'http://other.example/', '--shop', 'x', '--json'], { shop })
    expect(json).toMatchObject({
      url: 'http://other.example',
      shop: 'x',
      origins: { url: 'option', credentials: 'environment', shop: 'option' },
    })
  })

  it('uses the only shop of a key, and names the shops if there are several', async () => {
    const shop = await makeShop()
    expect((await runCli(['keys', 'list'], { auth: await shop.credentials('admin') })).code).toBe(0)
    await makeShop()
    const run = await runCli(['keys', 'list'])
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('Name the shop with --shop or DOORSTEP_SHOP.')])
  })
})

function fileOf(home: string): string {
  return join(home, '.config', 'doorstep', 'profiles.json')
}
