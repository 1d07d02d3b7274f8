import { execFile } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { environmentOf, nodes } from '../harness/nodes.ts'
import { type Cleanup, launch, makeFolder, makeStore, sharedByTests, start } from '../harness/process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Paths that a clone does not have, or that no installation reads. */
const leftOut = /^(node_modules|dist|data|coverage|\.git|test|bench|docs\/pictures)(\/|$)|\/node_modules(\/|$)/

// One checkout for each Node. Every test installs into it, or changes, what the one before left.
for (const { name, path: node, runsTypeScript } of nodes) {
  describe.skipIf(node === undefined)(`a checkout, with ${name}`, () => {
    const shared = sharedByTests(async (cleanup) => {
      const checkout = makeClone(cleanup)
      const style = join(checkout, 'web/dashboard/styles/index.css')
      return { checkout, style, program: join(checkout, 'bin/doorstep.js'), dataDir: await makeStore(cleanup) }
    })

    /** Does the work of `npm ci`, with the packages that are there. Returns the lines of ours that it prints. */
    const install = async (...flags: string[]): Promise<string[]> => {
      const { checkout } = shared()
      rmSync(join(checkout, 'dist'), { recursive: true, force: true })
      const given = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...flags]
      const { stdout } = await run('npm', given, { cwd: checkout, env: environmentOf(node) })
      return stdout.split('\n').filter((line) => line.startsWith('Doorstep'))
    }

    /** The output of a start that ends at once and leaves nothing behind. */
    const startInVain = async (): Promise<string> => {
      const { program, checkout } = shared()
      const failed = launch({ DATA_DIR: join(checkout, 'data') }, { program, node })
      expect(await failed.ended).toEqual({ code: 1, signal: null })
      expect(existsSync(join(checkout, 'data'))).toBe(false)
      return failed.output() + failed.complaints()
    }

    /** Starts the service, and returns how it responds, what the dashboard's page loads, and what was complained about. */
    const visit = async () => {
      const { program, dataDir } = shared()
      const service = await start({ DATA_DIR: dataDir }, { program, node })
      const page = await fetch(`${service.url}/dashboard`)
      const loaded = [...(await page.text()).matchAll(/"(\/dashboard\/-\/[^"]+)"/g)].map(([, path]) => String(path))
      const paths = ['/readyz', '/widgets/doorstep.js', ...loaded]
      const statuses = await Promise.all(paths.map(async (path) => (await fetch(service.url + path)).status))
      expect(statuses).toEqual(paths.map(() => 200))
      service.child.kill('SIGTERM')
      expect(await service.ended).toEqual({ code: 0, signal: null })
      return { status: page.status, loaded, complaints: service.complaints() }
    }

    it('ends with one line after npm ci --ignore-scripts', async () => {
      expect(await install('--ignore-scripts')).toEqual([])
      expect(await startInVain()).toBe('Doorstep is not built. Run npm run build.\n')
    })

    it('is built by npm ci, and starts with its dashboard and its components', async () => {
      expect(await install()).toEqual([expect.stringMatching(/^Doorstep is built \(\d+\.\d s\)\.$/)])
      expect(existsSync(join(shared().checkout, 'dist/service/main.mjs'))).toBe(!runsTypeScript)
      const { status, loaded, complaints } = await visit()
      expect([status, complaints]).toEqual([200, ''])
      expect(loaded.map((path) => path.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css', 'svg']))
    })

    it('starts without a dashboard that cannot be built', async () => {
      const { style } = shared()
      const text = readFileSync(style)
      appendFileSync(style, '@import "./not-there.css";\n')
      const { status, complaints } = await visit()
      expect(status).toBe(503)
      expect(complaints).toMatch(/not-there\.css[\s\S]*\nThe dashboard could not be built\.\n$/)
      writeFileSync(style, text)
    })

    it('builds what has changed at its next start, and nothing else', async () => {
      const { checkout, style } = shared()
      const widgets = readFileSync(join(checkout, 'dist/widgets.json'), 'utf8')
      appendFileSync(style, '.of-a-test { color: red }\n')
      const first = await visit()
      const dashboard = readFileSync(join(checkout, 'dist/dashboard.json'), 'utf8')
      const second = await visit()
      expect([first.status, first.complaints]).toEqual([200, ''])
      expect(second).toEqual(first)
      const [sheet = ''] = first.loaded.filter((path) => path.endsWith('.css'))
      const served = join(checkout, 'dist', sheet.replace('/-/', '/'))
      expect(readFileSync(served, 'utf8')).toContain('.of-a-test')
      expect(readFileSync(join(checkout, 'dist/widgets.json'), 'utf8')).toBe(widgets)
      expect(readFileSync(join(checkout, 'dist/dashboard.json'), 'utf8')).toBe(dashboard)
    })

    it('ends with one line after npm ci --omit=dev, which prints it as well', async () => {
      const line =
        'Doorstep is not built. Run npm ci without leaving anything out, or install the package doorstep-server instead.'
      expect(await install('--omit=dev')).toEqual([line])
      expect(existsSync(join(shared().checkout, 'node_modules/vite'))).toBe(false)
      expect(await startInVain()).toBe(`${line}\n`)
    })
  })
}

/** A clone with the packages of this checkout, of which npm may remove some. */
function makeClone(cleanup: Cleanup): string {
  const clone = makeFolder(cleanup)
  cpSync(root, clone, { recursive: true, filter: (path) => !leftOut.test(path.slice(root.length)) })
  const [from, to] = [join(root, 'node_modules'), join(clone, 'node_modules')]
  linkFolder(from, to)
  // npm writes its list of what is installed in place.
  rmSync(join(to, '.package-lock.json'))
  copyFileSync(join(from, '.package-lock.json'), join(to, '.package-lock.json'))
  return clone
}

/** Copies a folder without its contents, where both are on the same disk. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (/^\.(cache|vite|vite-temp|experimental-vitest-cache)$/.test(entry.name)) continue
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkFile(source, target)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
