import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf, followPage, guidePages } from '../harness/guide-blocks.ts'
import { until } from '../harness/patience.ts'
import { type Cleanup, makeFolder, sharedByTests } from '../harness/process.ts'
import { ShellSession } from '../harness/shell-session.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Paths that a clone does not have. */
const notCloned =
  /^(node_modules|data|coverage|\.git|test\/output|web\/dashboard\/(dist|node_modules)|bench\/node_modules)(\/|$)/

/** A clone in which `npm ci` has run: the packages are those of this tree. */
function makeClone(cleanup: Cleanup): string {
  const clone = join(makeFolder(cleanup), 'doorstep')
  cpSync(root, clone, { recursive: true, filter: (path) => !notCloned.test(path.slice(root.length)) })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  return clone
}

/** Starts the service with the command that start.md prints, and reads the key that it prints. */
async function startAsPrinted(cleanup: Cleanup) {
  const clone = makeClone(cleanup)
  const [install, service] = blocksOf('start.md')
  expect([install?.words, install?.text]).toEqual([['install'], 'npm ci'])
  expect(service?.words).toEqual(['service'])
  const servicePort = await findPort()
  const terminal = openTerminal(clone, cleanup, { PORT: String(servicePort) })
  await terminal.run(`${service?.text} &`)
  const apiKey = await until(() => /API key {3}(\S+)/.exec(terminal.output)?.[1])
  await until(() => terminal.output.includes('is ready. What its customers see:') || undefined)
  return { clone, apiKey, servicePort }
}

function openTerminal(folder: string, cleanup: Cleanup, settings: Record<string, string> = {}): ShellSession {
  // A reader sees an error; the test has to fail for it.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  const session = new ShellSession(folder, {
    PATH: `${linkedCommands(cleanup)}:${process.env.PATH}`,
    HOME: folder,
    ...settings,
  })
  cleanup(() => session.close())
  return session
}

/** Does the work of `npm link`: the command is found everywhere. */
function linkedCommands(cleanup: Cleanup): string {
  const folder = makeFolder(cleanup)
  const program = join(root, 'bin', 'doorstep.js')
  writeFileSync(join(folder, 'doorstep'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  return folder
}

/** A port that nobody listens on at the moment. */
function findPort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

describe('the guide, followed word by word in a clone', { timeout: 600_000 }, () => {
  const shared = sharedByTests(startAsPrinted)
  const followed = guidePages.filter((page) => blocksOf(page).some(({ words }) => words.includes('run')))
  // The start comes first: the other pages continue with its shop and its key.
  const pages = ['start.md', ...followed.filter((page) => page !== 'start.md')]

  type Ports = Record<8080 | 3000, number>
  const follow = async (page: string, folder: string, settings: (ports: Ports) => Record<string, string>) => {
    const { apiKey, servicePort } = shared()
    const ports = { 8080: servicePort, 3000: await findPort(), 3001: await findPort(), 3002: await findPort() }
    const session = openTerminal(folder, onTestFinished, settings(ports))
    await followPage(page, session, folder, { apiKey, ports })
    return session
  }

  it.each(pages)('%s', async (page) => {
    const { clone, apiKey } = shared()
    const isStart = page === 'start.md'
    const folder = isStart ? clone : join(clone, 'test', 'output', basename(page, '.md'))
    mkdirSync(folder, { recursive: true })
    const session = await follow(page, folder, (): Record<string, string> => (isStart ? {} : { API_KEY: apiKey }))
    expect(session.output).not.toBe('')
  })

  it.each([
    ['headless-shop', 'in_transit'],
    ['embedded-status', '"headline":"'],
    ['embedded-components', 'key="pk_'],
  ])('the example %s', async (name, shown) => {
    const folder = join(shared().clone, 'examples', name)
    const session = await follow(`../../examples/${name}/README.md`, folder, (ports) => ({
      DOORSTEP_URL: `http://localhost:${ports[8080]}`,
      PORT: String(ports[3000]),
    }))
    expect(session.output).toContain(shown)
  })
})

describe('the examples of receivers', () => {
  const blocks = blocksOf('webhooks.md')
  it.each(['node-receiver/receiver.mjs', 'python-receiver/receiver.py', 'php-receiver/receiver.php'])(
    '%s is the one that the guide shows and runs',
    (path) => {
      const shown = blocks.find(({ fields }) => fields.get('file') === basename(path))?.text
      expect(readFileSync(join(root, 'examples', path), 'utf8')).toBe(`${shown}\n`)
    },
  )
})
