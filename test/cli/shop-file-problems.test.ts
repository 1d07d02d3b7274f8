import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { inject } from '../harness/client.ts'
import { makeShop } from '../harness/shop.ts'
import { applyFile, fileSecrets, planFile, shopFiles, wholeShopFile, writeShopFile } from '../harness/shop-files.ts'

describe('secrets', () => {
  it('are neither printed nor written', async () => {
    const shop = await makeShop()
    const file = writeShopFile(wholeShopFile(shop.slug))
    const runs = [
      await runCli(['plan', file], { env: fileSecrets }),
      await runCli(['plan', file, '--json'], { env: fileSecrets }),
      await runCli(['apply', file, '--yes'], { env: fileSecrets }),
      await runCli(['pull', shop.slug], { env: fileSecrets }),
      await runCli(['plan', file], { env: { ...fileSecrets, KLAVIYO_KEY: 'pk_another_secret_9876543' } }),
    ]
    const printed = runs.map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(printed).toContain(`credentials.api_key: "****6789" → "\${KLAVIYO_KEY}"`)
    for (const secret of [...Object.values(fileSecrets), 'pk_another_secret_9876543'])
      expect(printed).not.toContain(secret)
  })

  it('are not quoted from an error of the service', async () => {
    const { slug } = await makeShop()
    const text = `shop: ${slug}\nintegrations: { klaviyo: { credentials: { api_key: "\${SHORT}" } } }`
    const run = await applyFile(text, { env: { SHORT: 'tooshort' } })
    expect(run.code).toBe(6)
    expect(run.stderr).not.toContain('tooshort')
  })

  it('are not accepted in a file', async () => {
    const run = await planFile('shop: a\nintegrations:\n  klaviyo:\n    credentials: { api_key: pk_0123456789abcdef }')
    expect(run.code).toBe(6)
    expect(JSON.parse(run.stderr).error.errors).toEqual([
      { path: expect.stringMatching(/:4:29$/), message: expect.stringContaining('must be a reference') },
    ])
  })

  it('must be set in the environment', async () => {
    const run = await planFile(`shop: a\nwebhooks:\n  - url: https://a.example\n    secret: \${NOT_SET}`)
    expect(JSON.parse(run.stderr).error.errors).toEqual([
      { path: expect.stringMatching(/:4:13$/), message: 'the environment variable NOT_SET is not set' },
    ])
  })
})

describe('problems of a file', () => {
  it('are all shown with their places, and nothing is sent', async () => {
    const calls: string[] = []
    const run = await planFile(
      [
        'shop: a-shop',
        'settings:',
        '  mail: { promotion: maybe, quiet_hours: { from: "25:00" } }',
        '  calender: {}',
        'webhooks:',
        '  - url: not an address',
        '  - url: https://a.example',
        '  - url: https://a.example',
        'automations:',
        '  - { name: A, actions: [{ type: dance }] }',
        '  - { name: B, actions: [{ type: add_segment, url: https://a.example }] }',
      ].join('\n'),
      {
        fetch: (request) => {
          calls.push(request.url)
          return inject(request)
        },
      },
    )
    const { errors } = JSON.parse(run.stderr).error
    expect(
      errors.map(({ path, message }: Record<string, string>) => `${path?.replace(/.*\.yaml/, '')} ${message}`),
    ).toEqual([
      ':3:22 must be true or false',
      ':3:50 must match ^([01][0-9]|2[0-3]):[0-5][0-9]$',
      ':4:3 "calender" is not known here; did you mean "calendar"?',
      ':6:10 must be an address such as https://shop.example',
      ':10:34 must be one of notify, webhook, add_segment, update_claim, create_claim',
      ':11:26 segment is missing',
      ':11:47 "url" is not known here; known are type, segment',
      expect.stringMatching(/^:8:5 has the same url as .*:7:5$/),
    ])
    expect([run.code, calls]).toEqual([6, []])
  })

  it.each([
    ['shop: [a', ':1:9'],
    ['- a', 'must be a map'],
    ['settings: {}', 'names no shop'],
    ['shop: a\nshops: [b]', 'either shop or shops'],
    ['shop: a\nextends: nowhere.yaml', ':2:10'],
    ['shop: Not a slug', 'must match'],
    [
      'a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]',
      'more than 200000 values',
    ],
  ])('include %j', async (text, part) => {
    const run = await planFile(text)
    expect(run.code).toBe(6)
    expect(run.stderr).toContain(part)
  })

  it('include what a new thing needs', async () => {
    const { slug } = await makeShop()
    const run = await planFile(`shop: ${slug}\ncampaigns:\n  - name: Half\n    discount: NONE\n`)
    expect(run.code).toBe(6)
    expect(run.stderr).toContain(
      'does not exist yet, and a new one needs segment, promotion_type, promotion_properties',
    )
  })

  it('include a discount that is not there', async () => {
    const { slug } = await makeShop()
    const run = await planFile(`shop: ${slug}\ndeals:\n  - discount: NONE\n`)
    expect(run.stderr).toContain(':3:15')
    expect(run.stderr).toContain('there is no discount with the code NONE')
  })

  it('include a shop that is not there', async () => {
    const run = await planFile('shop: no-such-shop\ndiscounts: []')
    expect(run.code).toBe(5)
    expect(run.stderr).toContain(':1:7')
  })
})

describe('many shops', () => {
  it('share parts, have their own, and are changed a few at a time', async () => {
    const shops = await Promise.all(Array.from({ length: 50 }, () => makeShop()))
    const path = join(shopFiles, 'fifty')
    mkdirSync(path)
    writeFileSync(
      join(path, 'shared.yaml'),
      'settings: { mail: { promotion: true } }\nwebhooks: [{ url: https://a.example, description: All, enabled_events: ["*"] }]\n',
    )
    const [first, ...others] = shops
    writeFileSync(
      join(path, 'shops.yaml'),
      `extends: shared.yaml\nshops:\n${others.map(({ slug }) => `  ${slug}:\n`).join('')}`,
    )
    writeFileSync(
      join(path, 'own.yaml'),
      `extends: [shared.yaml]\nshop: ${first?.slug}\nwebhooks: [{ url: https://a.example, description: Own }]\n`,
    )
    let [running, most] = [0, 0]
    const counting = async (request: Request) => {
      running += 1
      most = Math.max(most, running)
      return inject(request).finally(() => {
        running -= 1
      })
    }
    const run = await runCli(['apply', path, '--yes', '--json', '--concurrency', '5'], { fetch: counting })
    expect(run.stderr).toBe('')
    expect(run.json.applied).toHaveLength(100)
    expect(most).toBeLessThanOrEqual(5)
    expect((await first?.as('admin').get('/webhooks'))?.body).toMatchObject([
      { description: 'Own', enabled_events: ['*'] },
    ])
    const again = await runCli(['plan', path])
    expect([again.code, again.stdout]).toEqual([0, 'All 50 shops are as the file says: nothing to change.\n'])
    const one = await runCli(['plan', path, '--only', String(first?.slug)])
    expect(one.stdout).toBe('The shop is as the file says: nothing to change.\n')
  })

  it('are named once', async () => {
    const path = writeShopFile('shops: [one-shop, two-shop]')
    const other = writeShopFile('shop: one-shop')
    const run = await runCli(['plan', path, other])
    expect(run.code).toBe(6)
    expect(run.stderr).toContain(`the shop one-shop is already in ${path}:1:9`)
  })
})
