// Takes the pictures of the README: `npm run pictures` starts the service with a demo shop of its own, looks at it in Chromium
// and writes docs/pictures.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import sharp from 'sharp'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs', 'pictures')
const dataFolder = mkdtempSync(join(tmpdir(), 'doorstep-pictures-'))

const child = spawn(process.execPath, ['bin/doorstep.js'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: join(dataFolder, 'data'), PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { trackingPage, signInLink } = await readOutput(child)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  mkdirSync(folder, { recursive: true })
  await take(browser, {
    name: 'tracking-page',
    url: trackingPage,
    viewport: { width: 430, height: 900 },
    ready: 'main',
  })
  await take(browser, { name: 'dashboard', url: signInLink, viewport: { width: 1280, height: 900 }, ready: 'main h1' })
  await browser.close()
} finally {
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  rmSync(dataFolder, { recursive: true, force: true })
}

/** The addresses that the first start prints. */
function readOutput({ stdout }: ChildProcess): Promise<{ trackingPage: string; signInLink: string }> {
  return new Promise((resolve, reject) => {
    let output = ''
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const trackingPage = /a parcel on its way +(\S+)/.exec(output)?.[1]
      const signInLink = output
        .split('\n')
        .find((line) => line.includes('/sign-in#'))
        ?.trim()
      if (trackingPage !== undefined && signInLink !== undefined) resolve({ trackingPage, signInLink })
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${output}`)))
  })
}

interface Picture {
  name: string
  url: string
  viewport: { width: number; height: number }
  /** Selects the element that is there once the page is ready. */
  ready: string
}

async function take(browser: Browser, { name, url, viewport, ready }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light', locale: 'en' })
  await page.goto(url)
  await page.locator(ready).first().waitFor({ timeout: 120_000 })
  await page.waitForLoadState('networkidle')
  const picture = await page.screenshot({ animations: 'disabled' })
  await page.close()
  // Half the size of a screen with twice the pixels is sharp enough on a page.
  const width = Math.round(viewport.width * 1.5)
  await sharp(picture)
    .resize({ width })
    .webp({ quality: 82 })
    .toFile(join(folder, `${name}.webp`))
}
