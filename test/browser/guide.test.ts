import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { contents } from '../../src/guide/contents.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { openStage, takePicture } from '../harness/stage.ts'

const paths = ['', ...contents.flatMap(({ pages }) => pages.map((name) => `/${name}`))].map(
  (path) => `/docs/guide${path}`,
)

describeInBrowser('the guide in a browser', () => {
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    ;({ browser, origin } = await openStage())
  })

  const open = async (options: Parameters<Browser['newPage']>[0]): Promise<{ page: Page; complaints: string[] }> => {
    const page = await browser.newPage(options)
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('request', (request) => request.url().startsWith(origin) || complaints.push(request.url()))
    return { page, complaints }
  }

  it.each([
    {
      name: 'phone',
      viewport: { width: 390, height: 844 },
      colorScheme: 'light' as const,
      scope: 'everything' as const,
    },
    {
      name: 'desktop',
      viewport: { width: 1280, height: 900 },
      colorScheme: 'dark' as const,
      scope: 'colours' as const,
    },
  ])('is accessible on a $name and requests no other host', async ({ name, viewport, colorScheme, scope }) => {
    const { page, complaints } = await open({ viewport, colorScheme })
    for (const path of paths) {
      await page.goto(`${origin}${path}`)
      await expectAccessible(page, `${path} on a ${name}`, scope)
      await takePicture(page, `guide-${path.slice(12) || 'front'}-${name}`)
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is searched with the keyboard alone', async () => {
    const { page, complaints } = await open({ viewport: { width: 1280, height: 900 } })
    await page.goto(`${origin}/docs/guide`)
    await page.keyboard.press('/')
    await page.keyboard.type('retries')
    await page.locator('[role=option]').first().waitFor()
    await expect.poll(() => page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe('found-0')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe('found-1')
    await expectAccessible(page, 'results of a search')
    await takePicture(page, 'guide-search')
    const chosen = await page.locator('#found-1').getAttribute('data-path')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}${chosen}`)
    await page.keyboard.press('/')
    await page.keyboard.type('qqqqqq')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('#found').isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })
})
