import type { Html } from '../../foundation/html.ts'

const text = `
:root {
  --page: #ffffff; --panel: #f5f6f8; --line: #d9dde3; --ink: #1b2330; --soft: #545f70; --accent: #0b5cad;
  --code: #f0f2f5; --example: #17202e; --example-ink: #e4eaf3; --example-soft: #a5b3c7; --required: #a3320b;
  --get: #0b5cad; --post: #17693a; --put: #85500a; --patch: #6a3ba8; --delete: #b3261e; --on-badge: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161d; --panel: #191f29; --line: #313a48; --ink: #e6eaf1; --soft: #a7b1c1; --accent: #82b8f7;
    --code: #222a37; --example: #0a0e14; --example-ink: #dfe6f1; --example-soft: #97a6bb; --required: #ffad8a;
    --get: #82b8f7; --post: #74cf96; --put: #ecb964; --patch: #c6a5f5; --delete: #ff9a92; --on-badge: #12161d;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100% }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
}
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px }
main:focus { outline: none }
code, pre { font: .875em/1.55 ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace }
code { overflow-wrap: anywhere }
p code, td code, dd code { background: var(--code); border-radius: 4px; padding: .1em .35em }
h1, h2, h3, h4 { line-height: 1.25; margin: 0 }
ul { list-style: none; margin: 0; padding: 0 }
p { margin: .5rem 0 }
.skip { position: absolute; left: -100rem; top: .5rem; background: var(--page); padding: .5rem 1rem; z-index: 1 }
.skip:focus { left: .5rem }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.top {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; padding: .5rem 1rem;
  border-bottom: 1px solid var(--line);
}
.top p { margin: .25rem 0 }
.brand a { color: inherit; font-weight: 700; text-decoration: none }
.brand span { color: var(--soft) }
.contents { border-bottom: 1px solid var(--line); padding: 0 1rem }
.contents summary { padding: .75rem 0; font-weight: 600 }
.contents li a { display: block; padding: .5rem 0 }
.side { display: none }
main { padding: 1.5rem 1rem 6rem; min-width: 0 }
.guide, .area > h2, .area > p { max-width: 46rem }
h1 { font-size: 2rem; letter-spacing: -.02em }
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
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
tr { border-top: 1px solid var(--line) }
tbody tr:first-child { border-top: 0 }
th, td { text-align: left; vertical-align: top; padding: .6rem 0; font-weight: 400 }
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
details { margin-top: .5rem }
summary { cursor: pointer; padding: .35rem 0; color: var(--accent) }
.operation details { border: 1px solid var(--line); border-radius: 8px; padding: .15rem .9rem }
.operation details[open] { padding-bottom: .4rem }
figure { margin: 1rem 0 0; background: var(--example); color: var(--example-ink); border-radius: 8px; border: 1px solid var(--line); overflow: hidden }
figcaption { padding: .5rem .9rem; font-size: .8125rem; color: var(--example-soft); border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
figcaption .hint { color: inherit }
pre { margin: 0; padding: .8rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere }
pre code { font-size: .8125rem }

@media (max-width: 30rem) {
  .overview .summary { display: block; margin: 0 }
  th[scope=row] { width: 46% }
}
@media (min-width: 60rem) {
  .contents { display: none }
  .frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
  .side {
    display: block; position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto;
    padding: 1.25rem .75rem 3rem 1rem; border-right: 1px solid var(--line); background: var(--panel); font-size: .875rem;
  }
  .side h2 { font-size: .8125rem; margin: 1.4rem 0 .3rem; padding: 0 .5rem }
  .side h2:first-child { margin-top: 0 }
  .side h2 a { color: inherit; text-decoration: none }
  .side li a { display: flex; gap: .5rem; align-items: baseline; padding: .25rem .5rem; border-radius: 6px; color: var(--soft); text-decoration: none; line-height: 1.4 }
  .side li a:hover, .side h2 a:hover { color: var(--ink); text-decoration: underline }
  .side .method { flex: none; min-width: 3.6rem; background: none; padding: 0; text-align: left; color: var(--get) }
  .side .method.post { color: var(--post) }
  .side .method.put { color: var(--put) }
  .side .method.patch { color: var(--patch) }
  .side .method.delete { color: var(--delete) }
  main { padding: 2.5rem 3rem 8rem; max-width: 84rem }
}
@media (min-width: 75rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); gap: 0 2.5rem }
  .operation > header { grid-column: 1 / -1 }
  .operation .examples { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto }
}
@media print {
  .side, .contents, .skip { display: none }
  .frame { display: block }
}
`

/** Ours and without a value from anywhere else, so it goes into the page as it is. */
export const style: Html = { html: text }
