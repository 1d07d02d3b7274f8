import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { contents } from '../../src/http/guide/contents.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { openStage, takePicture } from '../harness/stage.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }
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

  it('is accessible on a phone, and in the dark on a desktop, and requests no other host', async () => {
    const { page, complaints } = await open({ viewport: phone })
    for (const path of paths) {
      await page.setViewportSize(phone)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${origin}${path}`)
      await expectAccessible(page, `${path} on a phone`)
      await takePicture(page, `guide-${path.slice(12) || 'front'}-phone`)
      await page.setViewportSize(desktop)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page, `${path} on a desktop`, 'colours')
      await takePicture(page, `guide-${path.slice(12) || 'front'}-desktop`)
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is searched with the keyboard alone', async () => {
    const { page, complaints } = await open({ viewport: desktop })
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
