import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { describeInBrowser } from '../harness/browser.ts'
import { openStage, takePicture } from '../harness/stage.ts'

describeInBrowser('API reference in a browser', () => {
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    ;({ browser, origin } = await openStage())
  })

  it('shows every operation, requests no other host, and fits a phone and a desk', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const requested: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).origin))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`${origin}/docs`)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const text = await page.locator('main').innerText()
      for (const { summary } of operations) expect(text).toContain(summary)
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(overflow).toBe(0)
      await takePicture(page, `reference-${width}`, false)
    }
    expect(new Set(requested)).toEqual(new Set([origin]))
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([])
    await page.close()
  })
})
