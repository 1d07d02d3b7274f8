import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundleService } from '../../bin/build/service.ts'
import { makeFolder } from '../harness/process.ts'

const source = `interface Thrower {
  of: string
}

export function fail({ of: what }: Thrower): never {
  throw new RangeError(what)
}
`

describe('stack traces of a bundle', () => {
  it('name the source and its line', async () => {
    const { run, folder } = await bundleThatFails()
    expect(run('fail({ of: "a test" })').split('\n').slice(0, 2)).toEqual([
      'RangeError: a test',
      `    at fail (${join(folder, 'source.ts')}:6:9)`,
    ])
  })

  it('are those of the bundle where its map is missing', async () => {
    const { run, bundle } = await bundleThatFails({ hasSourceMaps: false })
    expect(run('fail({ of: "a test" })')).toContain(`    at fail (${bundle}:`)
  })

  it('are there whatever was thrown', async () => {
    const { run } = await bundleThatFails()
    const odd = 'throw Object.defineProperty(new Error(), "message", { get() { throw new Error("worse") } })'
    expect(run(odd)).toMatch(/^Error\n {4}at /)
  })
})

/** Bundles a source that throws, and runs statements that use it. */
async function bundleThatFails({ hasSourceMaps = true } = {}) {
  const folder = makeFolder()
  writeFileSync(join(folder, 'source.ts'), source)
  const files = await bundleService({
    checkout: folder,
    folder: 'bundle',
    entryPoints: { main: 'source.ts' },
    hasSourceMaps,
    minify: false,
  })
  mkdirSync(join(folder, 'bundle'))
  for (const [name, content] of files) writeFileSync(join(folder, 'bundle', name), content)
  const traces = new URL('../../bin/stack-traces.js', import.meta.url).href
  const bundle = pathToFileURL(join(folder, 'bundle', 'main.mjs')).href
  const run = (statement: string) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { nameSourcesInStackTraces } from ${JSON.stringify(traces)}
         import { fail } from ${JSON.stringify(bundle)}
         nameSourcesInStackTraces(${JSON.stringify(pathToFileURL(join(folder, 'bundle')).href)})
         try { ${statement} } catch (error) { process.stdout.write(error.stack) }`,
      ],
      { encoding: 'utf8' },
    )
  return { folder, bundle, run }
}
