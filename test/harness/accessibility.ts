import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axe, axePath } from './axe.ts'
import { openStage } from './stage.ts'

/** Only violations are reported in full: selectors for everything else take most of the time. */
const run = (options: object, load: string) => `(async () => {
  ${load}
  const { violations } = await axe.run(document, {
    ...${JSON.stringify(options)},
    resultTypes: ['violations'],
    selectors: false,
    // It is in the page only. Frames would be asked for their results, and waited for.
    iframes: false,
  })
  const { scrollWidth, clientWidth } = document.documentElement
  return {
    overflow: scrollWidth - clientWidth,
    problems: violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, help, html, failureSummary].join(' | '))),
  }
})()`

const colours = ['color-contrast', 'link-in-text-block']
const everything = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
const scopes = {
  everything: { runOnly: everything },
  /** The rules that a page may still break at another width after its check. Contrast takes most of the time. */
  layout: { runOnly: everything, rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])) },
  /** The rules that it may still break in another colour scheme. */
  colours: { runOnly: { type: 'rule', values: colours } },
}
export type Scope = keyof typeof scopes

/** Checks a page against WCAG 2.2 AA, as far as a program can, and that it does not scroll sideways. */
export async function expectAccessible(page: Page, what: string, scope: Scope = 'everything'): Promise<void> {
  const { problems, overflow } = await check(page, scope)
  expect(problems, what).toEqual([])
  expect(overflow, `${what} scrolls sideways`).toBe(0)
}

/** The violations that axe-core finds, one line each. */
export async function findProblems(page: Page, scope: Scope = 'everything'): Promise<string[]> {
  return (await check(page, scope)).problems
}

/** The policies of the dashboard and the guide allow scripts of our own. */
const loadsScripts = /^\/(dashboard|docs)\b/

/** Into other pages, axe-core is injected from outside, so the page's own policy applies. */
async function check(page: Page, scope: Scope): Promise<{ problems: string[]; overflow: number }> {
  const stage = await openStage()
  const { origin, pathname } = new URL(page.url())
  const mayLoad = origin === stage.origin && loadsScripts.test(pathname)
  if (!mayLoad && !(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  return page.evaluate(run(scopes[scope], mayLoad ? `if (!('axe' in window)) await import('${axePath}')` : ''))
}
