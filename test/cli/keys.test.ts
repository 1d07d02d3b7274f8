import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

describe('doorstep keys', () => {
  let shop: TestShop

  beforeAll(async () => {
    shop = await makeShop()
  })

  it('create makes a key that works, and shows it once', async () => {
    const argv = ['keys', 'create', '--role', 'editor', '--user-name', 'warehouse', '--expires-in-days', '3', '--json']
    const { json } = await runCli(argv, { shop })
    expect(json).toMatchObject({ username: 'warehouse', secret: expect.stringMatching(/^dsk_/) })
    const auth = { username: json.username, apiKey: json.secret }
    expect((await runCli(['status', '--json'], { auth })).json.shops).toMatchObject([
      { slug: shop.slug, role: 'editor' },
    ])
    const { stdout } = await runCli(['keys', 'list'], { shop })
    expect(stdout).toMatch(/^ID +USER NAME +ROLE +EXPIRES +LAST USED\n/)
    expect(stdout).toMatch(new RegExp(`^${json.id} +warehouse +editor +20\\d\\d-`, 'm'))
    expect(stdout).not.toContain(json.secret)
    const human = await runCli(['keys', 'create'], { shop })
    expect(human.stdout).toMatch(/^user name {2}\S+\nAPI key {4}dsk_\w+\nrole {7}viewer\nexpires {4}never\n/)
    expect(human.stderr).toContain('only time')
  })

  it('delete asks first, and ends the key', async () => {
    const { json: key } = await runCli(['keys', 'create', '--json'], { shop })
    const unasked = await runCli(['keys', 'delete', key.id], { shop })
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Confirm with --yes.')])
    const refused = await runCli(['keys', 'delete', key.id], { shop, isTerminal: true, input: 'n\n' })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    const agreed = await runCli(['keys', 'delete', key.id], { shop, isTerminal: true, input: 'y\n' })
    expect([agreed.code, agreed.stdout]).toEqual([0, `Deleted the API key ${key.id}.\n`])
    expect((await runCli(['keys', 'delete', key.id, '--yes'], { shop })).code).toBe(5)
    expect((await runCli(['keys', 'list', '--json'], { shop })).json.map(({ id }: { id: string }) => id)).not.toContain(
      key.id,
    )
  })

  it('is for admins', async () => {
    const auth = await shop.credentials('editor')
    expect((await runCli(['keys', 'create'], { auth })).code).toBe(4)
  })
})
