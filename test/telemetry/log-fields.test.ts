import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, logLines, openTestDatabase, startTestService } from '../harness/service.ts'
import { makeShop } from '../harness/shop.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/guide/watch.md'), 'utf8')
const table = guide.slice(guide.indexOf('| field | meaning'))
/** The first column of the table. */
const documented = new Set(
  [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  ),
)

describe('fields of the log', () => {
  it('are documented if they occur in a line', async () => {
    const service = await startTestService({}, await openTestDatabase())
    onTestFinished(() => service.stop())
    const { context, schedule } = service
    // Other tests of this process have written lines of their own.
    const before = logLines.length
    const shop = await makeShop({}, service)
    await shop.as('viewer').get('/orders')
    await shop.as('editor').post('/orders', {})
    await call('GET', '/nothing-here', { auth: null }, service)
    await schedule.tick()
    context().log.error({ err: new Error('an example', { cause: new Error('its cause') }) }, 'a failure')
    const occurring = new Set(logLines.slice(before).flatMap((line) => Object.keys(JSON.parse(line))))
    expect([...occurring]).toEqual(expect.arrayContaining(['reqId', 'operation', 'ms', 'err']))
    expect([...occurring].filter((name) => !documented.has(name))).toEqual([])
  })

  it('are documented if a line of the source names them', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const named = new Set<string>()
    for (const name of sources) {
      const text = readFileSync(join(root, 'src', name), 'utf8')
      for (const [, fields = ''] of text.matchAll(/\blog(?:\(\))?\.(?:info|warn|error)\(\s*\{([^{}]*)\}/g)) {
        for (const field of fields.split(',')) {
          const [, key] = /^\s*([a-z_]\w*)/.exec(field) ?? []
          if (key) named.add(key)
        }
      }
    }
    expect(named.size).toBeGreaterThan(10)
    expect([...named].filter((name) => !documented.has(name))).toEqual([])
  })
})
