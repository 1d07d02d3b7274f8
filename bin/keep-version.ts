// Keeps a version for the tests of upgrades: `npm run keep:version` for this checkout, or with the folder of another one.
// Writes test/fixtures/stores/<version>.json.br, a store that the version made, and test/fixtures/versions/<version>.json.br,
// the version itself, which replaces the one before.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbedded } from '../src/platform/store/embedded/engine.ts'
import { adminKey, encryptionKey, fillShop } from './versions/fill.ts'
import { type Files, keep, readFiles } from './versions/kept-files.ts'
import { bundleProgram, unpackProgram } from './versions/kept-program.ts'
import { type KeptStore, readStore } from './versions/kept-store.ts'

const fixtures = fileURLToPath(new URL('../test/fixtures', import.meta.url))
const checkout = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))

const program = await bundleProgram(checkout)
// The program is kept without the pictures of its demo shop, which its store has.
const pictures = readFiles(checkout, filesIn('src/installation/demo/pictures'))
keep(join(fixtures, 'stores', `${version}.json.br`), await makeStore({ ...program, ...pictures }))
rmSync(join(fixtures, 'versions'), { recursive: true, force: true })
keep(join(fixtures, 'versions', `${version}.json.br`), program)

/** Paths from the checkout; none if this version has no such folder. */
function filesIn(folder: string): string[] {
  if (!existsSync(join(checkout, folder))) return []
  return readdirSync(join(checkout, folder)).map((name) => `${folder}/${name}`)
}

async function makeStore(files: Files): Promise<KeptStore> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-version-'))
  try {
    const madeAt = new Date().toISOString()
    const dataDir = join(folder, 'data')
    const made = await runAndFill(unpackProgram(files, join(folder, 'program')), dataDir)
    const engine = await openEmbedded(dataDir)
    const rows = await readStore(engine).finally(() => engine.close())
    return { version, madeAt, ...rows, files: readDataFolder(dataDir), made }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the service with its demo shop, and fills another shop in it. */
async function runAndFill(file: string, dataDir: string): Promise<KeptStore['made']> {
  const receiver = await startReceiver()
  const child = spawn(process.execPath, [file], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_API_KEY: adminKey,
      ENCRYPTION_KEY: encryptionKey,
      WEBHOOK_ALLOW_PRIVATE: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  try {
    return await fill()
  } finally {
    child.kill('SIGTERM')
    await ended
  }

  async function fill() {
    while (!output.includes(' is ready. What its customers see:')) {
      const isBroken = child.exitCode !== null || output.includes('the demo shop could not be created')
      if (isBroken) throw new Error(`version ${version} does not run: ${output}`)
      await new Promise((wake) => setTimeout(wake, 100))
    }
    const [, port] = /running at http:\/\/\S+:(\d+)/.exec(output) ?? []
    return fillShop(`http://127.0.0.1:${port}`, receiver)
  }
}

/** Takes everything until it is stopped: what is sent to its port later stays to be delivered. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** The files of the data folder, without the store and those that can be made again. */
function readDataFolder(dataDir: string): Files {
  if (!existsSync(dataDir)) return {}
  const paths = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return readFiles(
    dataDir,
    paths.filter((path) => !/^(store|dashboard|cache)\//.test(path)),
  )
}
