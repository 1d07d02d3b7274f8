import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import type { Service } from '../../src/service.ts'
import { browserPath } from './browser.ts'
import { openTestDatabase, startTestService } from './service.ts'

/** The folder for screenshots, for people to review. */
export const output = fileURLToPath(new URL('../output/', import.meta.url))

export interface Stage {
  browser: Browser
  service: Service
  /** The address of the service, as a number, so that no DNS lookup is needed. */
  origin: string
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
  const [service, browser] = await Promise.all([
    openTestDatabase().then((database) => startTestService(settings, database)),
    chromium.launch({
      executablePath: browserPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    }),
  ])
  return { browser, service, origin: service.url.replace('localhost', '127.0.0.1') }
}
