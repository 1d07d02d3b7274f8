import { mkdirSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Service } from '../../src/service.ts'
import { serveAxe } from './axe.ts'
import { browserPath } from './browser.ts'
import { output } from './output.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { openTestDatabase, startTestService } from './service.ts'

/** Pictures take as long as the checks around them, so only `npm run test:pictures` takes them. */
export const takesPictures = process.env.TEST_PICTURES === '1'

/** With `npm run test:pictures`, leaves a screenshot of the page in test/output, for people to review; of all of it, unless it is very long. */
export async function takePicture(page: Page, name: string, fullPage = true): Promise<void> {
  if (!takesPictures) return
  await page.screenshot({ path: `${output}${name}.jpg`, fullPage, quality: 80 })
}

export interface Stage {
  browser: Browser
  service: Service
  /** The address of the service, as a number, so that no DNS lookup is needed. */
  origin: string
  /** DHL's server, for every test of the process. */
  dhl: Receiver
}

let stage: Promise<Stage> | undefined

/** One Chromium and one listening service for all browser tests of this process; both end with it. */
export function openStage(): Promise<Stage> {
  stage ??= startStage()
  return stage
}

async function startStage(): Promise<Stage> {
  mkdirSync(output, { recursive: true })
  const settings = { PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: '' }
  const dhl = await startReceiver()
  const [service, browser] = await Promise.all([
    openTestDatabase().then((database) => startTestService(settings, database, { providerUrls: { dhl: dhl.url } })),
    chromium.launch({
      executablePath: browserPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives for seconds. Optimising its scripts, and a process for each, take a fifth of the processor time.
        '--js-flags=--no-opt --no-maglev',
        '--renderer-process-limit=1',
        // No page reaches another host.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ],
    }),
  ])
  serveAxe(service.app.server)
  return { browser, service, dhl, origin: service.url.replace('localhost', '127.0.0.1') }
}
