import { existsSync } from 'node:fs'

/** The Chromium to test pages in; undefined if there is none. */
export function browserPath(): string | undefined {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path))
}
