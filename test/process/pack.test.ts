import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { listUsedPackages } from '../../bin/licences.ts'
import { nodes } from '../harness/nodes.ts'
import {
  basic,
  callApi,
  makeFolder,
  makeShop,
  makeStore,
  type RunningProcess,
  sharedByTests,
  start,
} from '../harness/process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

interface Lock {
  packages: Record<string, Record<string, unknown>>
}

describe('published package', () => {
  const shared = sharedByTests(async (cleanup) => {
    const folder = makeFolder(cleanup)
    await run(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'bin/pack.ts', folder], { cwd: root })
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
    const { stdout } = await run('tar', ['-tzf', join(folder, tarball)])
    const files = stdout.trim().split('\n')
    return { folder, tarball, files, program: await install(folder, tarball) }
  })

  it('has the bundles, what they read and the licences, and nothing of our work on them', () => {
    const { tarball, files } = shared()
    expect(tarball).toMatch(/^doorstep-server-\d+\.\d+\.\d+\.tgz$/)
    for (const name of [
      'dist/service/main.mjs',
      'dist/service/cli.mjs',
      'dist/service/migrate.mjs',
      'dist/dashboard/manifest.json',
      'dist/widgets/manifest.json',
      'npm-shrinkwrap.json',
      'THIRD_PARTY.md',
      'LICENSE',
    ])
      expect(files).toContain(`package/${name}`)
    expect(
      files.filter((file) => /\.tsx?$|\.map$|\/(test|bench|node_modules|build)\/|package-lock/.test(file)),
    ).toEqual([])
    expect(files.filter((file) => file.startsWith('package/migrations/'))).toHaveLength(
      readdirSync(join(root, 'migrations')).length,
    )
  })

  it('imports nothing but what is installed with it', () => {
    const { program } = shared()
    const installed = join(program, '../..')
    const scripts = ['dist/service', 'src'].flatMap((folder) => scriptsIn(join(installed, folder)))
    const imported = scripts.flatMap(importsIn)
    const packages = new Set(imported.filter((name) => !name.startsWith('.') && !isBuiltin(name)).map(packageOf))
    const { dependencies } = readJson(join(installed, 'package.json'))
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([])
    expect(packages).toContain('fastify')
    // Packages that only the build needs, or that are part of the bundles, are not installed.
    for (const name of ['vite', 'rolldown', 'esbuild', 'kysely', 'typebox', 'react'])
      expect(dependencies, name).not.toHaveProperty([name])
  })

  it('is installed, runs the service with its dashboard, and has the command line', async () => {
    const { folder, program } = shared()
    const service = await start({ DATA_DIR: join(folder, 'data') }, { program })
    expect(await callApi(service, service.credentials, 'GET /v1/shops')).toEqual({ status: 200, body: [] })
    await expectPages(service)
    const { username = '', apiKey = '' } = service.credentials ?? {}
    await makeShop(service, service.credentials, 'packed')
    const image = new FormData()
    image.set('image', new Blob([readFileSync(join(root, 'src/installation/demo/pictures/logo.png'))]))
    const uploaded = await fetch(`${service.url}/v1/shops/packed/images/logo`, {
      method: 'POST',
      headers: { authorization: basic({ username, apiKey }) },
      body: image,
    })
    expect(uploaded.status, 'decoded by the script of the package').toBe(200)
    const { stdout } = await run(process.execPath, [program, 'shops', 'list', '--json'], {
      env: { PATH: process.env.PATH, DOORSTEP_URL: service.url, DOORSTEP_USERNAME: username, DOORSTEP_API_KEY: apiKey },
    })
    expect(JSON.parse(stdout)).toMatchObject([{ slug: 'packed' }])
    const version = await run(process.execPath, [program, '--version'])
    expect(version.stdout).toContain(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  })

  for (const { name, path: node } of nodes) {
    it.skipIf(node === undefined)(`runs with ${name}, and builds nothing`, async () => {
      const { program } = shared()
      const service = await start({ DATA_DIR: await makeStore() }, { program, node })
      await expectPages(service)
      service.child.kill('SIGTERM')
      expect(await service.ended).toEqual({ code: 0, signal: null })
      expect(service.complaints()).toBe('')
      expect(readdirSync(join(program, '../../dist')).sort()).toEqual(['dashboard', 'service', 'widgets'])
    })
  }
})

describe('packages of others', () => {
  it('have licences that allow what we do with them', () => {
    // Libraries under the LGPL come with sharp: they are installed beside it, unchanged, and can be replaced.
    const allowed = /^(0BSD|Apache-2\.0|BSD-[23]-Clause|ISC|LGPL-3\.0-or-later|MIT|MIT-0|Unlicense)$/
    const others = listUsedPackages().filter(
      ({ licence }) => !licence.split(' AND ').every((each) => allowed.test(each)),
    )
    expect(others).toEqual([])
    const copyleft = listUsedPackages().filter(({ licence }) => licence.includes('LGPL'))
    expect(copyleft.filter(({ name }) => !name.startsWith('@img/sharp-'))).toEqual([])
  })
})

/** The pages of people, and what they load. */
async function expectPages({ url }: RunningProcess): Promise<void> {
  const page = await (await fetch(`${url}/dashboard`)).text()
  const [, script = ''] = /src="(\/dashboard\/-\/[^"]+)"/.exec(page) ?? []
  const paths = [script, '/widgets/doorstep.js', '/docs']
  const statuses = paths.map(async (path) => (await fetch(url + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 200])
}

function scriptsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?js$/.test(name) && !name.endsWith('.client.js'))
    .map((name) => join(folder, name))
}

/** The modules that a script imports when it is loaded, or later by a literal name. */
function importsIn(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const later = dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '.')),
    ...later.filter((name) => /^["'`]/.test(name)).map((name) => name.slice(1, -1)),
  ]
}

/** `@scope/name/path` is of the package `@scope/name`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

/**
 * Installs the tarball and returns its program: beside it are the packages of its shrinkwrap and no others, each in its
 * version. They are links to those of this checkout, which npm has installed.
 */
async function install(folder: string, tarball: string): Promise<string> {
  const modules = join(folder, 'project', 'node_modules')
  const installed = join(modules, 'doorstep-server')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
  const { packages }: Lock = readJson(join(installed, 'npm-shrinkwrap.json'))
  const { dependencies, bin } = readJson(join(installed, 'package.json'))
  expect(packages['']).toMatchObject({ dependencies })
  for (const [path, { version, dev, optional }] of Object.entries(packages)) {
    // A package inside another one comes with it; those for other platforms are not there.
    if (path.lastIndexOf('node_modules/') !== 0 || dev === true) continue
    const ours = join(root, path)
    if (optional === true && !existsSync(ours)) continue
    expect(readJson(join(ours, 'package.json')).version, path).toBe(version)
    mkdirSync(join(folder, 'project', path, '..'), { recursive: true })
    symlinkSync(ours, join(folder, 'project', path), 'junction')
  }
  return join(installed, bin.doorstep)
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
