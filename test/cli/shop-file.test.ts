import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateShopFileSchema, schemaFile } from '../../packages/cli/generate.js'
import { runCli } from '../harness/cli.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'
import { applyFile, fileSecrets, planFile, shopFiles, wholeShopFile, writeShopFile } from '../harness/shop-files.ts'

describe('schema of shop files', () => {
  it('is made of the operations: npm run generate -w doorstep-cli', async () => {
    expect(await generateShopFileSchema()).toBe(readFileSync(schemaFile, 'utf8'))
  })
})

describe('doorstep apply', () => {
  let shop: TestShop

  beforeAll(async () => {
    shop = await makeShop()
  })

  it('makes a shop look as its file says', async () => {
    const run = await applyFile(wholeShopFile(shop.slug), { env: fileSecrets })
    expect(run.stderr).toBe('')
    expect(run.code).toBe(0)
    const admin = shop.as('admin')
    expect((await admin.get('/settings/mail')).body).toMatchObject({
      promotion: false,
      quiet_hours: { from: '22:00', to: '07:00' },
    })
    expect((await admin.get('/keys')).body.klaviyo).toBe('****6789')
    expect((await admin.get('/campaigns')).body).toMatchObject([
      { name: 'Socks', status: 'active', discount: { code: 'WELCOME10' } },
    ])
    expect((await admin.get('/deals')).body.map(({ title }: { title: string }) => title)).toEqual(['Second', 'First'])
    expect((await admin.get('/webhooks')).body).toMatchObject([{ enabled_events: ['shipments/delivered'] }])
    expect((await admin.get('/automations')).body).toMatchObject([{ name: 'Ask after it', enabled: true }])
    expect((await admin.get('/settings/triggers/klaviyo')).body).toMatchObject({
      status: true,
      internal_triggers: [{ name: 'Stuck', phase_in: ['in_transit'] }],
    })
  })

  it('changes nothing the second time', async () => {
    const again = await applyFile(wholeShopFile(shop.slug), { env: fileSecrets })
    expect([again.code, again.json]).toEqual([0, { applied: [] }])
    const check = await runCli(['plan', writeShopFile(wholeShopFile(shop.slug))], { env: fileSecrets })
    expect([check.code, check.stdout]).toEqual([0, 'The shop is as the file says: nothing to change.\n'])
  })

  it('shows what was changed by hand, with a code of its own', async () => {
    await shop.as('admin').patch('/settings/mail', { promotion: true })
    const drift = await planFile(wholeShopFile(shop.slug), { env: fileSecrets })
    expect(drift.code).toBe(7)
    expect(drift.json.shops[0].changes).toEqual([
      expect.objectContaining({
        action: 'update',
        kind: 'settings',
        name: 'mail',
        fields: [{ field: 'promotion', from: true, to: false }],
      }),
    ])
  })

  it('shows which items of a list come and go', async () => {
    const file = `shop: ${shop.slug}\nsettings: { calendar: { closed_days: [{ date: 2026-12-24, name: Eve }, { date: 2026-12-26, name: Day }] } }`
    const { stdout } = await runCli(['plan', writeShopFile(file)])
    expect(stdout).toBe(
      [
        shop.slug,
        '  ~ settings calendar',
        '      closed_days:',
        '        - {"date":"2026-12-31","name":"End"}',
        '        + {"date":"2026-12-26","name":"Day"}',
        '',
        '0 to create, 1 to change, 0 to delete.',
        '',
      ].join('\n'),
    )
  })

  it('changes the order of deals as the file has them', async () => {
    const file = `shop: ${shop.slug}\ndeals: [{ discount: WELCOME10, title: First }, { discount: WELCOME10, title: Second }]`
    const run = await applyFile(file)
    expect(run.json.applied).toHaveLength(1)
    const { body } = await shop.as('viewer').get('/deals')
    expect(body.map(({ title }: { title: string }) => title)).toEqual(['First', 'Second'])
    expect((await applyFile(file)).json).toEqual({ applied: [] })
  })

  it('deletes only when told, and only in the sections that the file has', async () => {
    const file = `shop: ${shop.slug}\ndiscounts: []\ncampaigns: []\ndeals: []\nannouncements: []`
    const kept = await planFile(file)
    expect(kept.code).toBe(0)
    expect(kept.json.shops[0].not_in_file).toHaveLength(5)
    expect((await applyFile(file)).json).toEqual({ applied: [] })
    const deleted = await applyFile(file, {}, '--delete')
    expect(deleted.json.applied.map(({ action, kind }: Record<string, string>) => `${action} ${kind}`)).toEqual([
      'delete campaign',
      'delete deal',
      'delete deal',
      'delete discount',
      'delete announcement',
    ])
    expect((await shop.as('admin').get('/webhooks')).body).toHaveLength(1)
  })
})

describe('order of changes', () => {
  const campaigns = (slug: string, autumn: string, winter: string) => `
shop: ${slug}
campaigns:
  - ${autumn}
  - ${winter}
`
  const fields = 'promotion_type: basic, promotion_properties: {}, start_date: 2026-11-01'

  it('frees the place of a campaign before another one takes it', async () => {
    const { slug } = await makeShop()
    const winter = (isOn: boolean) => `{ name: Winter, segment: default, enabled: ${isOn}, ${fields} }`
    const autumn = (isOn: boolean) => `{ name: Autumn, segment: default, enabled: ${isOn}, ${fields} }`
    expect((await applyFile(campaigns(slug, winter(false), autumn(true)))).code).toBe(0)
    const swapped = await applyFile(campaigns(slug, winter(true), autumn(false)))
    expect(swapped.code).toBe(0)
    expect(swapped.json.applied.map(({ name }: Record<string, string>) => name)).toEqual(['"Autumn"', '"Winter"'])
  })

  it('lets two campaigns change places', async () => {
    const { slug, as } = await makeShop()
    const one = (segment: string) => `{ name: One, segment: ${segment}, enabled: true, ${fields} }`
    const other = (segment: string) => `{ name: Other, segment: ${segment}, enabled: true, ${fields} }`
    expect((await applyFile(campaigns(slug, one('vip'), other('default')))).code).toBe(0)
    const swapped = await applyFile(campaigns(slug, one('default'), other('vip')))
    expect(swapped.stderr).toBe('')
    expect((await as('viewer').get('/campaigns', { sort: 'name' })).body).toMatchObject([
      { name: 'One', segment: 'default', enabled: true },
      { name: 'Other', segment: 'vip', enabled: true },
    ])
  })

  it('reports two enabled campaigns in one place before anything is changed', async () => {
    const { slug, as } = await makeShop()
    const one = `{ name: One, segment: vip, enabled: true, ${fields} }`
    const run = await applyFile(campaigns(slug, one, one.replace('One', 'Other')))
    expect(run.code).toBe(6)
    expect(run.stderr).toContain('same segment, promotion type and period')
    expect((await as('viewer').get('/campaigns')).body).toEqual([])
  })

  it('stops at the first error, says what was done, and continues when it is run again', async () => {
    const { slug, as } = await makeShop()
    const automation = (field: string) => `
shop: ${slug}
announcements: [{ language: en, text: Hello }]
automations:
  - name: Broken
    trigger: { events: ["*"] }
    conditions: [{ field: ${field}, operator: eq, value: 1 }]
    actions: [{ type: add_segment, segment: a }]
`
    const failed = await applyFile(automation('nonsense'))
    expect(failed.code).toBe(6)
    expect(failed.json.applied).toMatchObject([{ action: 'create', kind: 'announcement' }])
    const { error } = JSON.parse(failed.stderr)
    expect(error.hint).toContain('1 of 2 steps were done before, and stay. Run the same command again to continue.')
    expect(error.errors[0].path).toMatch(/shop-\d+\.yaml:7:27$/)
    const fixed = await applyFile(automation('context.order.order_number'))
    expect(fixed.json.applied).toMatchObject([{ kind: 'automation' }])
    expect((await as('viewer').get('/lists/announcements')).body).toHaveLength(1)
  })
})

describe('confirmation', () => {
  const file = (slug: string) => writeShopFile(`shop: ${slug}\nannouncements: [{ language: en, text: Hello }]`)

  it('is asked for on a terminal', async () => {
    const { slug, as } = await makeShop()
    const path = file(slug)
    const refused = await runCli(['apply', path], { isTerminal: true, input: 'n\n' })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Make these changes? [y/N]')
    expect((await as('viewer').get('/lists/announcements')).body).toEqual([])
    const agreed = await runCli(['apply', path], { isTerminal: true, input: 'y\n' })
    expect([agreed.code, agreed.stdout]).toEqual([0, 'Done: 1 change.\n'])
  })

  it('must be an option where there is no terminal', async () => {
    const { slug } = await makeShop()
    const run = await runCli(['apply', file(slug)])
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('Confirm with --yes.')
  })
})

describe('doorstep pull', () => {
  it('writes a file per shop that applies without a change, and with the schema for editors', async () => {
    const [one, two] = [await makeShop(), await makeShop()]
    await applyFile(wholeShopFile(one.slug), { env: fileSecrets })
    const into = join(shopFiles, 'pulled')
    const run = await runCli(['pull', one.slug, two.slug, '--into', into])
    expect(run.stdout).toBe(`Wrote ${join(into, `${one.slug}.yaml`)}\nWrote ${join(into, `${two.slug}.yaml`)}\n`)
    expect(readdirSync(into).sort()).toEqual([`${one.slug}.yaml`, `${two.slug}.yaml`, 'shop-file.schema.json'].sort())
    const text = readFileSync(join(into, `${one.slug}.yaml`), 'utf8')
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=shop-file.schema.json')
    expect(text).toContain(`#   api_key: \${KLAVIYO_API_KEY}`)
    const applied = await runCli(['apply', into, '--yes', '--json', '--delete'])
    expect(applied).toMatchObject({ stderr: '', json: { applied: [] } })
    const again = await runCli(['pull', one.slug, '--into', into])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('Replace it with --force')
  })

  it('leaves no file behind when it fails', async () => {
    const into = join(shopFiles, 'nothing.yaml')
    expect((await runCli(['pull', 'no-such-shop', '--into', into])).code).toBe(5)
    expect(existsSync(into)).toBe(false)
  })
})
