import type { Html } from '../../platform/foundation/html.ts'
import { baseStyle } from '../guide/base-style.ts'

const text = `${baseStyle}
.guide, .area > h2, .area > p { max-width: 46rem }
.lead { font-size: 1.2rem; color: var(--soft); margin: .5rem 0 1.5rem }
.guide h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: 0 0 1.5rem }
.facts dt { color: var(--soft); font-size: .875rem }
.facts dd { margin: 0 }
.area { margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 2.5rem }
.area > h2 { font-size: 1.65rem; letter-spacing: -.01em }
.area > p { color: var(--soft) }

.method {
  display: inline-block; min-width: 5.4em; padding: .1em .5em; border-radius: 4px; text-align: center;
  font-size: .6875rem; font-weight: 700; letter-spacing: .04em; color: var(--on-badge); background: var(--get);
}
.method.post { background: var(--post) }
.method.put { background: var(--put) }
.method.patch { background: var(--patch) }
.method.delete { background: var(--delete) }
.overview { border: 1px solid var(--line); border-radius: 8px; margin-top: 1.25rem; max-width: 46rem; overflow: hidden }
.overview li + li { border-top: 1px solid var(--line) }
.overview a { display: flex; gap: .75rem; align-items: baseline; padding: .6rem .9rem; color: inherit; text-decoration: none }
.overview a:hover { background: var(--panel) }
.overview a:hover .summary { text-decoration: underline }
.overview a:focus-visible { outline-offset: -3px }
.overview .method { flex: none }
.overview .summary { font-weight: 500; margin-right: .5rem }
.overview code { color: var(--soft) }

.operation { margin-top: 3.5rem }
.operation h3 { font-size: 1.25rem }
.operation h3 a { color: inherit; text-decoration: none }
.operation h3 a:hover { text-decoration: underline }
.operation:target h3 { text-decoration: underline; text-decoration-thickness: 3px; text-decoration-color: var(--accent) }
.route { display: flex; gap: .6rem; align-items: baseline; margin: .5rem 0 }
.route .method { flex: none }
.route .path { background: none; padding: 0; font-size: .9375rem }
.role { display: inline-block; margin: 0; border: 1px solid var(--line); border-radius: 99px; padding: 0 .75rem; font-size: .875rem; color: var(--soft) }
.role strong { color: var(--ink); font-weight: 600 }
.operation h4 { font-size: .9375rem; margin: 1.75rem 0 .25rem }
.operation .text > h4:first-child { margin-top: .75rem }
.media, .hint, .note { font-weight: 400; color: var(--soft); font-size: .875rem }
.hint code { background: none; padding: 0 }
th[scope=row] { width: 42%; padding-right: 1rem }
th code { font-weight: 600 }
th .path { color: var(--soft); font-weight: 400 }
td p { margin: 0 0 .25rem }
td p:last-child { margin: 0 }
td { overflow-wrap: anywhere }
.required { color: var(--required); font-size: .8125rem }
.type { display: block; color: var(--soft); font-size: .8125rem }
.whole .type { display: inline; font-size: inherit }
.values, .limits { color: var(--soft); font-size: .875rem }
.errors th[scope=row] { width: 4rem }
.status { margin: .5rem 0 0 }
.good { color: var(--post) }
.operation details { border: 1px solid var(--line); border-radius: 8px; padding: .15rem .9rem }
.operation details[open] { padding-bottom: .4rem }
figcaption .hint { color: inherit }
pre { margin: 0; padding: .8rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere }

@media (max-width: 30rem) {
  .overview .summary { display: block; margin: 0 }
  th[scope=row] { width: 46% }
}
@media (min-width: 60rem) {
  .side .method { flex: none; min-width: 3.6rem; background: none; padding: 0; text-align: left; color: var(--get) }
  .side .method.post { color: var(--post) }
  .side .method.put { color: var(--put) }
  .side .method.patch { color: var(--patch) }
  .side .method.delete { color: var(--delete) }
}
@media (min-width: 75rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); gap: 0 2.5rem }
  .operation > header { grid-column: 1 / -1 }
  .operation .examples { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto }
}
`

/** Ours and without a value from anywhere else, so it goes into the page as it is. */
export const style: Html = { html: text }
