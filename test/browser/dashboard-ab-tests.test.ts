import { beforeAll, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/foundation/clock.ts'
import type { Service } from '../../src/service.ts'
import { fillTest } from '../harness/ab-tests.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { createCampaign, createTest } from '../harness/campaigns.ts'
import { expectGoodLooks, go, openDashboard, picture, visit } from '../harness/dashboard.ts'
import { clock } from '../harness/service.ts'
import { makeShop, type TestShop } from '../harness/shop.ts'

let service: Service
let shop: TestShop

const tests: Record<'better' | 'early' | 'mismatched', { uuid: string }> = {
  better: { uuid: '' },
  early: { uuid: '' },
  mismatched: { uuid: '' },
}

/** A test of two campaigns in a segment of its own, that began ten days ago. */
async function make(name: string, segment: string, counts: readonly (readonly [number, number])[]) {
  const editor = shop.as('editor')
  clock.advance(-10 * dayMs)
  const campaigns = []
  for (const title of ['Warm socks', 'A tenth off']) {
    const { uuid } = await createCampaign(editor, { name: `${title} (${segment})`, segment })
    campaigns.push({ campaign_id: uuid, allocation: 50 })
  }
  const test = await editor.post('/ab-tests', {
    name,
    segment,
    campaign_type: 'basic',
    campaigns,
    has_holdout: true,
    holdout_percentage: 20,
  })
  clock.reset()
  const ids = [...campaigns.map(({ campaign_id }) => campaign_id), null]
  await fillTest(
    service,
    shop,
    test.body,
    counts.map(([converted, customers], index) => ({ campaignId: ids[index] ?? null, converted, customers })),
  )
  return test.body
}

const address = (rest = '') => `/dashboard/${shop.slug}/marketing/ab-tests${rest}`

describeInBrowser('A/B tests in a browser', () => {
  beforeAll(async () => {
    ;({ service } = await openDashboard())
    shop = await makeShop({}, service)
    tests.better = await make('Socks or a tenth off?', 'default', [
      [48, 400],
      [24, 400],
      [8, 200],
    ])
    tests.early = await make('Banner words', 'newsletter', [
      [2, 28],
      [1, 26],
      [0, 7],
    ])
    tests.mismatched = await make('Half of it lost', 'vip', [
      [20, 400],
      [9, 200],
      [4, 150],
    ])
  }, 300_000)

  it('are listed with who is ahead', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, address())
      await page.getByText('Warm socks (default), more than 99% probability').waitFor()
      await expect.poll(() => page.getByText('Too early to tell').count()).toBe(1)
      await expect.poll(() => page.getByText('Not reliable').count()).toBe(1)
      // A viewer creates nothing.
      expect(await page.getByRole('link', { name: 'New A/B test' }).count()).toBe(0)
      await expectGoodLooks(page, 'ab-tests')
      await page.getByRole('link', { name: 'Socks or a tenth off?' }).click()
      await page.getByText('What it means').or(page.locator('.verdict')).first().waitFor()
    })
  })

  it('say in a sentence what they mean', async () => {
    await visit({ as: { shop, role: 'viewer' } }, async (page) => {
      await go(page, address(`/${tests.better.uuid}`))
      await expect
        .poll(() => page.locator('.verdict').innerText())
        .toBe(
          '“Warm socks (default)” sells more with more than 99% probability: between 2 and 10 percentage points more customers order than with “A tenth off (default)”. You can end the test.',
        )
      await expect.poll(() => page.getByText('48 of 400 customers').count()).toBe(2)
      await expectGoodLooks(page, 'ab-test')
      await page.getByRole('button', { name: 'Show as table' }).first().click()
      await picture(page, 'ab-test-table')
      await go(page, address(`/${tests.early.uuid}`))
      await expect
        .poll(() => page.locator('.verdict').innerText())
        .toMatch(/^Too early to tell\. With this traffic, expect an answer in about \d+ weeks\.$/)
      // Seven customers are too few for a share.
      await expect.poll(() => page.getByText('0 of 7 customers · too few for a share').count()).toBe(2)
      await picture(page, 'ab-test-early')
      await go(page, address(`/${tests.mismatched.uuid}`))
      await page.getByRole('alert').getByText('The customers were not split as planned').waitFor()
      await expectGoodLooks(page, 'ab-test-mismatched')
    })
  })

  it('speak German', async () => {
    await visit({ as: { shop, role: 'viewer' }, language: 'de' }, async (page) => {
      await go(page, address(`/${tests.better.uuid}`))
      await expect.poll(() => page.locator('.verdict').innerText()).toContain('Prozentpunkte mehr Kunden bestellen')
      await picture(page, 'ab-test-german')
    })
  })

  it('are made from campaigns of one segment, with errors beside their fields', async () => {
    const editor = shop.as('editor')
    for (const name of ['Red', 'Green', 'Blue']) await createCampaign(editor, { name, segment: 'colours' })
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address('/new'))
      await page.getByLabel('Segment', { exact: true }).selectOption('colours')
      await page.getByRole('button', { name: 'Add campaign' }).click()
      await expect.poll(() => page.getByLabel('Percent').nth(0).inputValue()).toBe('34')
      await page.getByText('Together 100 %.').waitFor()
      await page.getByLabel('Percent').nth(0).fill('50')
      await page.getByText('Together 116 %. It has to be 100 %.').waitFor()
      await page.getByLabel('Show no campaign to some customers').check()
      await expectGoodLooks(page, 'ab-test-new')
      await page.getByRole('button', { name: 'Create test' }).click()
      await page.getByText('This was not saved yet').waitFor()
      await picture(page, 'ab-test-new-errors')
      await page.getByLabel('Name', { exact: true }).fill('Which colour?')
      await page.getByRole('button', { name: 'Split evenly' }).click()
      await page.getByRole('button', { name: 'Create test' }).click()
      await page.waitForURL(/ab-tests\/[0-9a-f-]{36}$/)
      await page.getByRole('heading', { level: 1, name: 'Which colour?' }).waitFor()
      const [created] = (await editor.get('/ab-tests')).body
      expect(created).toMatchObject({ name: 'Which colour?', segment: 'colours', holdout_percentage: 10 })
      expect(created.campaigns.map(({ allocation }: { allocation: number }) => allocation)).toEqual([34, 33, 33])
    })
  })

  it('are ended after saying what happens, in numbers', async () => {
    const test = await createTest(shop.as('editor'), [50, 50], { name: 'To be ended', segment: 'end' })
    await visit({ as: { shop, role: 'editor' } }, async (page) => {
      await go(page, address(`/${test.uuid}`))
      await page.getByRole('button', { name: 'End test' }).click()
      await page.getByText('Ends 1 test.').waitFor()
      await picture(page, 'ab-test-end')
      await page.getByRole('dialog').getByRole('button', { name: 'End test' }).click()
      await page.getByText('The test has ended', { exact: true }).waitFor()
      await page.locator('h1 + .badge').getByText('Ended').waitFor()
      expect((await shop.as('viewer').get(`/ab-tests/${test.uuid}/results`)).body.status).toBe('completed')
    })
  })
})
