/** Styles of the guide and the API reference; each adds rules of its own. */
export const baseStyle = `
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
h1 { font-size: 2rem; letter-spacing: -.02em }
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
tr { border-top: 1px solid var(--line) }
tbody tr:first-child { border-top: 0 }
th, td { text-align: left; vertical-align: top; padding: .6rem 0; font-weight: 400 }
details { margin-top: .5rem }
summary { cursor: pointer; padding: .35rem 0; color: var(--accent) }
figure { margin: 1rem 0 0; background: var(--example); color: var(--example-ink); border-radius: 8px; border: 1px solid var(--line); overflow: hidden }
figcaption { padding: .5rem .9rem; font-size: .8125rem; color: var(--example-soft); border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
pre code { font-size: .8125rem }
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
  main { padding: 2.5rem 3rem 8rem; max-width: 84rem }
}
@media print {
  .side, .contents, .skip { display: none }
  .frame { display: block }
}
`
