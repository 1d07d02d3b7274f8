import { baseStyle } from './base-style.ts'

export const guideStyle = `${baseStyle}
.top { align-items: center }
.search { position: relative; flex: 1 1 14rem; max-width: 26rem; order: 0 }
.search input {
  width: 100%; font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--soft); border-radius: 8px;
  padding: .4rem .75rem;
}
.search input::placeholder { color: var(--soft); opacity: 1 }
#found {
  position: absolute; z-index: 2; top: calc(100% + .35rem); left: 0; right: 0; max-height: 70vh; overflow-y: auto; background: var(--page);
  border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 8px 28px rgb(0 0 0 / .22);
}
#found li { padding: .55rem .8rem; cursor: pointer }
#found li + li { border-top: 1px solid var(--line) }
#found li[aria-selected=true] { background: var(--panel); box-shadow: inset 3px 0 0 var(--accent) }
#found strong { display: block; font-weight: 600 }
#found span { display: block; font-size: .875rem; color: var(--soft) }
#found .nothing { color: var(--soft); cursor: default }
.subject { font-weight: 600; margin: .75rem 0 0 }
.contents nav { padding-bottom: 1rem }
.contents .sections { display: none }
article { max-width: 46rem; overflow-wrap: break-word }
article h1 { margin-bottom: .75rem }
article h1 + p { font-size: 1.125rem; color: var(--soft); margin-bottom: 1.5rem }
article h2 { font-size: 1.4rem; margin: 2.75rem 0 .5rem; letter-spacing: -.01em }
article h3 { font-size: 1.1rem; margin: 2rem 0 .25rem }
article h2 a, article h3 a { color: inherit; text-decoration: none }
article h2 a:hover, article h3 a:hover { text-decoration: underline }
article p, article li { margin: .6rem 0 }
article ul, article ol { margin: .75rem 0; padding-left: 1.4rem }
article ul { list-style: disc }
article li > p { margin: .25rem 0 }
article li code { background: var(--code); border-radius: 4px; padding: .1em .35em }
article blockquote { margin: 1.25rem 0; padding: .1rem 1rem; border-left: 4px solid var(--accent); background: var(--panel); border-radius: 0 8px 8px 0 }
article table { margin: 1rem 0 }
article thead th { color: var(--soft); font-size: .8125rem; font-weight: 600; padding: .35rem 1rem .35rem 0 }
article thead + tbody tr:first-child { border-top: 1px solid var(--line) }
article td { padding-right: 1rem }
article td:last-child { padding-right: 0 }
article td:first-child code { overflow-wrap: normal }
article figure { margin: 1rem 0; position: relative }
article pre { margin: 0; padding: .8rem .9rem; overflow-x: auto; border-radius: 8px }
article pre code { overflow-wrap: normal }
article .output { background: var(--panel); color: var(--ink) }
.output figcaption { color: var(--soft) }
.copy {
  position: absolute; top: .35rem; right: .4rem; font: inherit; font-size: .75rem; color: var(--example-ink); background: var(--example);
  border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: 6px; padding: .1rem .55rem; cursor: pointer;
  opacity: 0;
}
figure:hover .copy, .copy:focus-visible { opacity: 1 }
.diagram { margin: 1.25rem 0; overflow-x: auto }
.diagram img { display: block; width: 100%; height: auto; min-width: 34rem; max-width: 46rem }
.page-end { max-width: 46rem; margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .9375rem }
.neighbours { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem }
.neighbours a { text-decoration: none; font-weight: 600 }
.neighbours a:hover { text-decoration: underline }
.neighbours span { display: block; font-weight: 400; font-size: .8125rem; color: var(--soft) }
.neighbours .next { margin-left: auto; text-align: right }

@media (max-width: 38rem) {
  .search { order: 3; flex-basis: 100%; max-width: none; margin: .25rem 0 .5rem }
  article table, article tbody, article tr, article td { display: block }
  article thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  article tr { padding: .6rem 0 }
  article td { padding: .1rem 0; overflow-wrap: anywhere }
  article td:first-child { font-weight: 600 }
  article td:empty { display: none }
  article td[data-title]::before { content: attr(data-title) ': '; color: var(--soft) }
}
@media (hover: none) {
  .copy { opacity: 1 }
}
@media (max-width: 38rem) {
  /* It would cover the only line. */
  figure:not(:has(figcaption)) .copy { display: none }
}
@media (min-width: 60rem) {
  .side [aria-current] { color: var(--ink); font-weight: 600; background: var(--line) }
  .side .sections { margin: .15rem 0 .35rem .6rem; border-left: 2px solid var(--line) }
}
@media print {
  .search, .copy, .page-end, .links { display: none }
}
`
