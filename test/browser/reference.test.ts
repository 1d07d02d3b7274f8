import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import type { Service } from '../../src/service.ts'
import { browserPath } from '../harness/browser.ts'
import { openTestDatabase, startTestService } from '../harness/service.ts'

const output = fileURLToPath(new URL('../output/', import.meta.url))

describe.skipIf(browserPath() === undefined)('the API reference in a browser', () => {
  let browser: Browser
  let service: Service

  beforeAll(async () => {
    mkdirSync(output, { recursive: true })
    service = await startTestService({ PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '' }, await openTestDatabase())
    browser = await chromium.launch({
      executablePath: browserPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it.each([
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ])('shows every operation, asks no other host and fits %j', async (viewport) => {
    const page = await browser.newPage({ viewport })
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const { origin } = new URL(service.url.replace('localhost', '127.0.0.1'))
    await page.goto(`${origin}/docs`)
    const text = await page.locator('main').innerText()
    for (const { summary } of operations) expect(text).toContain(summary)
    expect(new Set(asked)).toEqual(new Set([origin]))
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
    await page.screenshot({ path: `${output}reference-${viewport.width}.png` })
    await page.close()
  })
})
