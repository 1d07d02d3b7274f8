/** The shop's colours. Which of both is used follows the page's own `color-scheme`: a page that knows no dark mode stays light. */
export function colorStyle({ light, dark }: Record<'light' | 'dark', Record<string, string>>): string {
  const names = Object.keys(light).filter((name) => isColor(light[name]) && isColor(dark[name]))
  return `:host{${names.map((name) => `--${name}:light-dark(${light[name]},${dark[name]})`).join(';')}}`
}

function isColor(text: string | undefined): boolean {
  return text !== undefined && /^#[0-9a-f]{6}$/i.test(text)
}

export const baseStyle = sheet(`
:host, .content { display: grid; line-height: 1.5 }
:host([hidden]), [hidden] { display: none !important }
* { box-sizing: border-box; margin: 0 }
.card { padding: 1em; border: 1px solid var(--outline); border-radius: 8px; background: var(--card); color: var(--ink) }
.soft { color: var(--soft) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`)

/** As high as the room that the page keeps for it. */
export const promiseStyle = sheet(`
.card { display: grid; align-content: center; padding: .625em 1em; border-color: transparent; background: var(--tint) }
ul { list-style: none; padding: 0; display: grid; gap: .5em }
.busy { opacity: .6 }
@media (prefers-reduced-motion: no-preference) { .card { transition: opacity .15s } }
`)

/**
 * Everything that can be shown at one place shares a cell of a grid. The largest is always there, if not visible, so nothing
 * moves when one takes the place of the other.
 */
export const trackingStyle = sheet(`
.card { display: grid; max-width: 30em }
.card > *, .note > * { grid-area: 1 / 1; min-width: 0 }
.away { visibility: hidden }
form { display: grid; gap: .875em; align-content: start }
.note { display: grid }
.wrong { color: var(--wrong) }
h2, h3 { font-size: 1.125em; line-height: 1.35 }
h2:focus-visible { outline: none }
h3 { font-size: 1em }
label { display: block; margin-bottom: .25em; font-weight: 600 }
input { width: 100%; min-height: 44px; padding: 0 .75em; border: 1px solid var(--outline); border-radius: 6px;
  background: var(--card); color: var(--ink); font: inherit }
input[aria-invalid=true] { border: 2px solid var(--wrong) }
button { min-height: 44px; padding: 0 1.25em; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent);
  color: var(--on_accent); font: inherit; font-weight: 600; cursor: pointer; justify-self: start }
button.plain { background: transparent; color: var(--accent) }
.result { contain: size; display: flex; flex-direction: column; gap: .75em }
.told { flex: 1; overflow: auto; display: flex; flex-direction: column; gap: .75em }
.told ul { list-style: none; padding: 0; display: grid; gap: .75em }
.told li { padding-left: .75em; border-left: 3px solid var(--accent) }
.acts { display: flex; flex-wrap: wrap; gap: .25em 1em; align-items: center }
a { color: var(--accent); display: inline-block; padding: .5em 0 }
`)

function sheet(text: string): CSSStyleSheet {
  const made = new CSSStyleSheet()
  made.replaceSync(text)
  return made
}
