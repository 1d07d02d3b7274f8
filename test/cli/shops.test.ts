import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { makeShop } from '../harness/shop.ts'

describe('doorstep shops', () => {
  it('lists the shops that the key may use', async () => {
    const shop = await makeShop({ name: 'River & Pine' })
    const auth = await shop.credentials('viewer')
    const human = await runCli(['shops', 'list'], { auth })
    expect(human).toMatchObject({ code: 0, stderr: '' })
    expect(human.stdout).toBe(`SLUG${' '.repeat(shop.slug.length - 4)}  NAME\n${shop.slug}  River & Pine\n`)
    const { json } = await runCli(['shops', 'list', '--json'], { auth })
    expect(json).toEqual([expect.objectContaining({ slug: shop.slug, name: 'River & Pine' })])
  })

  it('shows one', async () => {
    const shop = await makeShop()
    expect((await runCli(['shops', 'show', shop.slug])).stdout).toContain(`slug         ${shop.slug}\n`)
    const { json } = await runCli(['shops', 'show', shop.slug, '--json'])
    expect(json).toMatchObject({ slug: shop.slug, shop_currency: expect.any(String) })
  })

  it('reports a shop that is not there with an exit code of its own', async () => {
    const run = await runCli(['shops', 'show', 'no-such-shop'])
    expect(run.code).toBe(5)
    expect(run.stdout).toBe('')
    expect(run.stderr).toContain('"doorstep shops list" shows the shops')
  })

  it('creates one, with a slug from its name', async () => {
    const name = `Müller & Söhne ${process.pid}`
    const { code, stdout, stderr } = await runCli(['shops', 'create', '--name', name])
    expect(code).toBe(0)
    expect(stdout).toContain(`muller-and-sohne-${process.pid}`)
    expect(stderr).toContain(`--shop muller-and-sohne-${process.pid}`)
    const again = await runCli(['shops', 'create', '--name', name, '--json'])
    expect(again.code).toBe(6)
    expect(JSON.parse(again.stderr).error).toMatchObject({ key: 'shop_exists', exit_code: 6 })
  })
})
