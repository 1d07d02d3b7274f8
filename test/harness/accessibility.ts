import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Only violations are reported in full: selectors for everything else take most of the time. */
const run = (options: object) => `axe.run(document, {
    ...${JSON.stringify(options)},
    resultTypes: ['violations'],
    selectors: false,
    // It is in the page only. Frames would be asked for their results, and waited for.
    iframes: false,
  })
  .then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => [id, help, html, failureSummary].join(' | '))))`

const colours = ['color-contrast', 'link-in-text-block']
const everything = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
const scopes = {
  everything: { runOnly: everything },
  /** What a page that was checked may still get wrong at another width. Contrast takes most of the time. */
  layout: { runOnly: everything, rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])) },
  /** What it may still get wrong in another colour scheme. */
  colours: { runOnly: { type: 'rule', values: colours } },
}
type Scope = keyof typeof scopes

/** Checks a page against WCAG 2.2 AA, as far as a program can, and that it does not scroll sideways. */
export async function expectAccessible(page: Page, what: string, scope: Scope = 'everything'): Promise<void> {
  expect(await findProblems(page, scope), what).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(overflow, `${what} scrolls sideways`).toBe(0)
}

/** The violations that axe-core finds, one line each. It is injected from outside, so the page's own policy applies. */
export async function findProblems(page: Page, scope: Scope = 'everything'): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source)
  return page.evaluate<string[]>(run(scopes[scope]))
}
