import { compact, style } from './assets.ts'

const ground = `
*,*::before,*::after { box-sizing: border-box }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; scroll-behavior: smooth }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.55; overflow-wrap: break-word;
  font: 400 1rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  -webkit-font-smoothing: antialiased; min-height: 100vh; display: flex; flex-direction: column }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0 }
ul, ol { list-style: none }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.015em; text-wrap: balance }
h1 { font-size: clamp(1.75rem, 1.2rem + 2.6vw, 2.75rem); font-weight: 680; letter-spacing: -.025em; line-height: 1.12 }
h2 { font-size: 1.3125rem; font-weight: 640 }
h3 { font-size: 1.0625rem; font-weight: 620; letter-spacing: -.01em }
img, svg { max-width: 100%; display: block }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px }
main:focus { outline: none }
summary { cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
time, .number { font-variant-numeric: tabular-nums }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 2; background: var(--accent); color: var(--onAccent);
  padding: .75rem 1rem; border-radius: .5rem }
.skip:focus { top: 1rem }
.soft { color: var(--soft) }
.small { font-size: .875rem }
`

const frame = `
.wide, main { width: 100%; max-width: 70rem; margin: 0 auto; padding-inline: clamp(1rem, 4vw, 2.5rem) }
main { flex: 1; padding-block: clamp(1rem, 3vw, 2rem) clamp(3rem, 7vw, 5rem) }
.top .wide { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 4.5rem }
.brand { font-size: 1.1875rem; font-weight: 680; letter-spacing: -.02em; color: var(--ink); text-decoration: none; min-width: 0 }
.brand img { max-height: 2.5rem; max-width: min(14rem, 50vw); object-fit: contain }
.languages { position: relative; flex: none }
.languages summary { display: flex; align-items: center; gap: .5rem; padding: .625rem .875rem; border-radius: 2rem;
  font-size: .875rem; color: var(--soft) }
.languages summary:hover, .languages [open] summary { background: var(--card); color: var(--ink) }
.languages ul { position: absolute; right: 0; z-index: 1; margin-top: .5rem; padding: .5rem; border-radius: 1rem;
  background: var(--page); border: 1px solid var(--line); box-shadow: 0 12px 40px rgb(0 0 0 / .14);
  display: grid; grid-template-columns: repeat(2, minmax(8rem, 1fr)); max-width: calc(100vw - 2rem) }
.languages li a { display: block; padding: .5rem .75rem; border-radius: .5rem; color: var(--ink); text-decoration: none }
.languages li a:hover { background: var(--card) }
.languages li a[aria-current] { font-weight: 640; color: var(--accent) }
.bottom { border-top: 1px solid var(--line); background: var(--page); color: var(--soft); font-size: .875rem }
.bottom .wide { padding-block: 2rem; display: grid; gap: 1rem }
.bottom h2 { font-size: 1rem; color: var(--ink); margin-bottom: .25rem }
.bottom ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem }
.bottom li a { display: inline-block; padding-block: .375rem; color: var(--ink) }
`

const controls = `
.button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 3rem; padding: .75rem 1.5rem; border: 0;
  border-radius: 3rem; background: var(--accent); color: var(--onAccent); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; max-width: 100% }
.button:hover { box-shadow: inset 0 0 0 2px currentColor }
.button.quiet { background: transparent; color: var(--ink); box-shadow: inset 0 0 0 1px var(--outline) }
.button.quiet:hover { box-shadow: inset 0 0 0 2px var(--accent) }
.field { display: grid; gap: .375rem }
.field label, .field legend, legend { font-weight: 600; padding: 0 }
.hint { color: var(--soft); font-size: .875rem }
input, select, textarea { font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--outline); border-radius: .75rem;
  padding: .75rem 1rem; min-height: 3rem; width: 100% }
input[type=checkbox], input[type=radio] { width: 1.25rem; height: 1.25rem; min-height: 0; accent-color: var(--accent); padding: 0 }
[aria-invalid=true] { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong) }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0 }
.problem { color: var(--wrong); font-weight: 600; font-size: .9375rem }
.notice { display: flex; gap: .75rem; padding: 1rem 1.25rem; border-radius: 1rem; background: var(--card); border: 1px solid var(--line) }
.notice.wrong { border-color: var(--wrong) }
.card { background: var(--card); border-radius: 1.25rem; padding: clamp(1.25rem, 3vw, 1.75rem) }
.stack { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr) }
.narrow { max-width: 34rem; margin-inline: auto; padding-block: clamp(1rem, 6vw, 4rem); display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr) }
.lead { font-size: 1.125rem; color: var(--soft); text-wrap: pretty }
`

const order = `
.hero { background: var(--tint); border-radius: clamp(1.25rem, 3vw, 2rem); padding: clamp(1.5rem, 5vw, 3.25rem); margin-bottom: clamp(1.5rem, 4vw, 2.5rem);
  display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) }
.hero .number { font-size: .9375rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.hero .when { font-size: clamp(1.0625rem, 1rem + .6vw, 1.375rem); font-weight: 560; color: var(--accent); text-wrap: balance }
.hero .promise { font-weight: 560 }
.hero .lead { color: var(--ink); max-width: 44rem }
.flag { justify-self: start; display: inline-flex; align-items: center; gap: .5rem; font-size: .875rem; font-weight: 620; color: var(--accent) }
.flag.delay { color: var(--late) }
.flag.error { color: var(--wrong) }
.flag::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: currentColor }
.steps { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: .5rem; margin-top: clamp(.5rem, 2vw, 1.25rem) }
.steps li { font-size: .875rem; color: var(--soft); line-height: 1.3 }
.steps li::before { content: ""; display: block; height: .375rem; border-radius: 1rem; background: var(--page); box-shadow: inset 0 0 0 1px var(--outline); margin-bottom: .625rem }
.steps .done::before, .steps .now::before { background: var(--accent); box-shadow: none }
.steps .now { color: var(--ink); font-weight: 640 }
.steps.delay .now::before { background: var(--late) }
.steps.error .now::before { background: var(--wrong) }
.notes { display: grid; gap: .75rem; margin-bottom: clamp(1.5rem, 4vw, 2.5rem) }
.columns { display: grid; gap: clamp(2rem, 4vw, 3.5rem); grid-template-columns: minmax(0, 1fr) }
.columns > * { display: grid; gap: clamp(2rem, 4vw, 3rem); align-content: start; grid-template-columns: minmax(0, 1fr) }
.parcel { display: grid; gap: 1.75rem; grid-template-columns: minmax(0, 1fr) }
.parcels > * { border-top: 1px solid var(--line); padding-block: 1.25rem }
.parcels > :first-child { border-top: 0; padding-top: 0 }
details.parcel-fold > summary { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .25rem 1rem; padding-block: .25rem }
details.parcel-fold > summary h3::after { content: "+"; margin-left: .5rem; font-weight: 400; color: var(--soft) }
details.parcel-fold[open] > summary h3::after { content: "–" }
details.parcel-fold[open] > summary { margin-bottom: 1.25rem }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); gap: 1rem 2rem }
.facts dt { color: var(--soft); font-size: .875rem }
.facts dd { font-weight: 560 }
.goods { display: grid; gap: 1rem }
.goods li { display: grid; grid-template-columns: 4rem minmax(0, 1fr) auto; gap: 1rem; align-items: center }
.goods .picture { width: 4rem; height: 4rem; border-radius: .75rem; background: var(--tint); color: var(--accent); object-fit: cover; display: grid; place-items: center; font-size: 1.25rem; font-weight: 640 }
.goods .title { font-weight: 560 }
.goods p { display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden }
.journey { margin-top: 1rem }
.days { display: grid; gap: 1.25rem }
.days h4 { font-size: .875rem; font-weight: 620; color: var(--soft); margin-bottom: .625rem }
.scans li { position: relative; display: grid; grid-template-columns: 4.25rem minmax(0, 1fr); gap: 0 1.25rem; padding-bottom: 1rem }
.scans li::before { content: ""; position: absolute; left: 4.875rem; top: .5rem; bottom: -.5rem; width: 1px; margin-left: -.5px; background: var(--line) }
.scans li::after { content: ""; position: absolute; left: 4.875rem; top: .5rem; width: .5625rem; height: .5625rem; margin-left: -.28125rem; border-radius: 50%; background: var(--outline) }
.scans li.latest::after { background: var(--accent); box-shadow: 0 0 0 4px var(--tint) }
.scans li.latest { font-weight: 600 }
.scans time { color: var(--soft); font-size: .875rem; padding-top: .125rem; font-weight: 400 }
.scans span { grid-column: 2; color: var(--soft); font-size: .875rem; font-weight: 400 }
.scans p, .scans span { padding-left: .5rem }
.days > li:last-child li:last-child::before { display: none }
.more > summary { color: var(--accent); font-weight: 560; padding-block: .5rem; text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px }
.more[open] > summary { margin-bottom: 1rem }
.pickup { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) }
.hours { display: grid; grid-template-columns: auto 1fr; gap: .125rem 1.25rem; font-size: .9375rem }
.hours dd { font-variant-numeric: tabular-nums }
.map { border-radius: 1.25rem; overflow: hidden; background: var(--tint) }
.map svg { width: 100%; height: auto }
.map path, .map polyline, .map circle { vector-effect: non-scaling-stroke }
.map .land { fill: var(--page); stroke: var(--outline); stroke-width: .5; stroke-opacity: .5 }
.map .way { fill: none; stroke: var(--accent); stroke-width: 2; stroke-dasharray: 1 6; stroke-linecap: round }
.map .stop { fill: var(--page); stroke: var(--accent); stroke-width: 2 }
.map .here { fill: var(--accent); stroke: var(--page); stroke-width: 2.5 }
.map figcaption { padding: .75rem 1.25rem; background: var(--card); font-size: .875rem; color: var(--soft) }
`

const offers = `
.offer { background: var(--offer); border-radius: 1.25rem; overflow: hidden; display: grid; grid-template-columns: minmax(0, 1fr) }
.offer > img { width: 100%; height: auto; aspect-ratio: 16 / 9; object-fit: cover }
.offer .said { padding: clamp(1.25rem, 3vw, 1.75rem); display: grid; gap: .75rem; justify-items: start; grid-template-columns: minmax(0, 1fr) }
.offer .said > * { max-width: 100% }
.offer h2 { color: var(--onOffer) }
.offer .button { background: var(--onOffer); color: var(--offer) }
.code { font: 600 .9375rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; padding: .375rem .75rem; border: 1px dashed var(--outline); border-radius: .5rem; overflow-wrap: anywhere }
.goods-grid { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; width: 100% }
.goods-grid a { color: var(--ink); text-decoration: none; display: grid; gap: .375rem; align-content: start }
.goods-grid a:hover .title { text-decoration: underline }
.goods-grid img, .goods-grid .blank { width: 100%; height: auto; aspect-ratio: 1; object-fit: cover; border-radius: .75rem; background: var(--page) }
.goods-grid .title { font-size: .9375rem; font-weight: 560; line-height: 1.35 }
.tag { justify-self: start; font-size: .75rem; font-weight: 640; padding: .125rem .5rem; border-radius: 1rem; background: var(--page); color: var(--onOffer) }
.deals { display: grid; gap: 1rem }
.deal { border: 1px solid var(--line); border-radius: 1.25rem; overflow: hidden; display: grid; grid-template-columns: minmax(0, 1fr) }
.deal > img { width: 100%; height: auto; aspect-ratio: 21 / 9; object-fit: cover }
.deal div { padding: 1.25rem; display: grid; gap: .5rem; justify-items: start; grid-template-columns: minmax(0, 1fr) }
.deal .logo { height: 2rem; width: auto; object-fit: contain }
`

const sizes = `
@media (max-width: 40rem) {
  .steps li:not(.now) > span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .steps { position: relative; gap: .375rem }
  .steps .now > span { position: absolute; left: 0; right: 0 }
  .steps { padding-bottom: 1.5rem }
  .goods li { grid-template-columns: 4rem minmax(0, 1fr) }
  .goods li > :nth-child(3) { grid-column: 2; margin-top: -.75rem }
  .scans li { grid-template-columns: 3.25rem minmax(0, 1fr); gap: 0 1rem }
  .scans li::before, .scans li::after { left: 3.75rem }
  .languages summary span { max-width: 6rem; overflow: hidden; text-overflow: ellipsis }
}
@media (min-width: 58rem) {
  .columns.both { grid-template-columns: minmax(0, 1fr) 22rem }
}
@media (prefers-color-scheme: dark) {
  .brand img { background: #fff; padding: .375rem .625rem; border-radius: .5rem; max-height: 3rem }
}
@media (prefers-reduced-motion: no-preference) {
  .button, .languages summary, a { transition: box-shadow .15s, background-color .15s }
  .scans li.latest::after { animation: pulse 2.4s ease-in-out infinite }
  @keyframes pulse { 50% { box-shadow: 0 0 0 7px var(--tint) } }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
@media (forced-colors: active) { .steps .done::before, .steps .now::before { background: Highlight; forced-color-adjust: none } }
@media print { .languages, .offer, .deals, .bottom { display: none } }
`

/** The styles of every page, without the colours. */
export const baseStyle = style(
  compact([ground, frame, controls, order, offers, sizes]).split('}').map(tightenDeclarations).join('}'),
)

/**
 * Whitespace after a colon is insignificant inside braces only; elsewhere it belongs to selectors and media queries.
 */
function tightenDeclarations(block: string): string {
  const start = block.lastIndexOf('{') + 1
  return block.slice(0, start) + block.slice(start).replaceAll(': ', ':')
}
