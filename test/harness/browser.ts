import { existsSync } from 'node:fs'
import { describe } from 'vitest'

/** The Chromium to test pages in; undefined if there is none. */
export function browserPath(): string | undefined {
  const candidates = [
    process.env.CHROMIUM_PATH,
    // Chromium without windows: the same pages with a quarter less processor time.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path))
}

/**
 * Tests of pages, left out where there is no Chromium. A browser on a busy machine now and then misses a moment that a page
 * shows for seconds only, so a test gets a second try; the summary of the run names those that needed it.
 */
export function describeInBrowser(what: string, tests: () => void): void {
  describe.skipIf(browserPath() === undefined)(what, { retry: 1 }, tests)
}
