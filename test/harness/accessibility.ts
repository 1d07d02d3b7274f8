import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Only violations are reported in full: selectors for everything else take most of the time. */
const run = `axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
    selectors: false,
  })
  .then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => [id, help, html, failureSummary].join(' | '))))`

/** Checks a page against WCAG 2.2 AA, as far as a program can, and that it does not scroll sideways. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await findProblems(page), what).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(overflow, `${what} scrolls sideways`).toBe(0)
}

/** The violations that axe-core finds, one line each. It is injected from outside, so the page's own policy applies. */
export async function findProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source)
  return page.evaluate<string[]>(run)
}
