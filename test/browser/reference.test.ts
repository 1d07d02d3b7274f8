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

  it.each([
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ])('shows every operation, requests no other host and fits %j', async (viewport) => {
    const page = await browser.newPage({ viewport })
    const requested: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).origin))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`${origin}/docs`)
    const text = await page.locator('main').innerText()
    for (const { summary } of operations) expect(text).toContain(summary)
    expect(new Set(requested)).toEqual(new Set([origin]))
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
    await takePicture(page, `reference-${viewport.width}`, false)
    await page.close()
  })
})
