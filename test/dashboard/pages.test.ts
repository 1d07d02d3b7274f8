import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import type { Page } from '../../web/dashboard/routes/page.ts'
import { type Pattern, pages, pagesWithCalls, patternOf } from '../../web/dashboard/routes/pages.ts'

const folder = join(import.meta.dirname, '..', '..', 'web', 'dashboard')
const patterns = Object.keys(pages) as Pattern[] // its own names
const screenNames = [...new Set(patterns.map((pattern) => pages[pattern].screen))].sort()

// Screens are checked with the types of browsers, tests are not: so this is loaded by its path.
const { screens } = (await import(join(folder, 'routes', 'screens.ts'))) as {
  screens: Record<string, { load: () => Promise<Record<string, unknown>>; name: string }>
}
const visit = { slug: 'a-shop', id: '17', search: {} }

describe('table of the pages of the dashboard', () => {
  it.each(screenNames)('knows the screen %s by where it is', async (name) => {
    const path = join(folder, 'screens', `${name}.tsx`)
    expect(existsSync(path)).toBe(true)
    const loaded = await screens[name]?.load()
    expect(typeof loaded?.[screens[name]?.name ?? '']).toBe('function')
    expect(await import(path)).toBe(loaded)
  })

  it('has every screen on a page, and a screen for every page', () => {
    expect(screenNames).toEqual(Object.keys(screens).sort())
  })

  it.each(patterns)('finds %s at an address of it', (pattern) => {
    const address = pattern.replaceAll(/\$(\w+)/g, (_whole, name: string) => (name === 'slug' ? 'a-shop' : '17'))
    expect(patternOf(address, pages)).toBe(pattern)
  })

  it('has calls that are operations of the API', () => {
    const paths = operations
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
    const called = patterns.flatMap((pattern) => pages[pattern].calls(visit).map(([path]) => ({ pattern, path })))
    expect(called.length).toBeGreaterThan(25)
    expect(called.filter(({ path }) => !paths.includes(path))).toEqual([])
  })

  it('has calls with every value that their address needs', () => {
    for (const pattern of patterns) {
      for (const [path, init] of pages[pattern].calls(visit)) {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const given = init?.params?.path ?? {}
        expect(Object.keys(given).sort(), `${pattern}: ${path}`).toEqual(names.sort())
        expect(Object.values(given).every((value) => value === 'a-shop' || value === '17')).toBe(true)
      }
    }
  })

  it('keeps pages with calls where the early script finds them', () => {
    const others = patterns.filter((pattern) => !Object.hasOwn(pagesWithCalls, pattern))
    expect(others.filter((pattern) => pages[pattern].calls(visit).length > 0)).toEqual([])
    expect(others.filter((pattern) => pages[pattern].waitsForCall)).toEqual([])
  })

  it('reads an address without a state as one with nothing chosen', () => {
    const read = patterns
      .map((pattern): Page<string, string, object> => pages[pattern])
      .flatMap(({ search }) => search?.({}) ?? [])
    expect(read.length).toBeGreaterThan(30)
    expect(read.flatMap((state) => Object.values(state)).filter((value) => value !== undefined)).toEqual([])
  })

  it('has texts in every language for every page', () => {
    const files = patterns.flatMap((pattern) =>
      pages[pattern].texts.flatMap((of) => ['en', 'de'].map((language) => `${of}/texts.${language}.json`)),
    )
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([])
  })
})
