import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Service } from '../../src/service.ts'
import { browserPath } from './browser.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { openTestDatabase, startTestService } from './service.ts'

/** One picture of each state is for everybody; `npm run test:pictures` takes it at both widths and in both colour schemes. */
export const takesAllPictures = process.env.TEST_PICTURES === '1'
const output = fileURLToPath(new URL('../output/', import.meta.url))

/** Leaves a screenshot of the whole page in test/output, for people to review. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${output}${name}.jpg`, fullPage: true, quality: 80 })
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
        // No page reaches another host.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ],
    }),
  ])
  return { browser, service, dhl, origin: service.url.replace('localhost', '127.0.0.1') }
}
