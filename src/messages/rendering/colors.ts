import { type Html, html } from '../../platform/foundation/html.ts'
import { type Scheme, schemesOf } from '../../shops/settings/color-scheme.ts'
import { type BrandPalette, paletteColors } from '../../shops/settings/palette.ts'

/** The shop's colours: those of light mode are written into each element, those of dark mode into a style sheet. */
export interface MailColors {
  light: Scheme
  darkStyle: string
  /** The attributes that were written before, by everything that they depend on: there are a few dozen. */
  written: Map<string, Html>
}

/** The colours of an element, by purpose. */
export interface Paint {
  ground?: keyof Scheme
  ink?: keyof Scheme
  line?: keyof Scheme
}

const known = new Map<string, MailColors>()
const maxKnown = 1_000

export function mailColors(palette: Record<string, string>): MailColors {
  const chosen: Partial<BrandPalette> = {}
  for (const name of paletteColors) {
    const color = palette[name]
    if (color !== undefined && /^#[0-9a-f]{6}$/i.test(color)) chosen[name] = color
  }
  const name = JSON.stringify(chosen)
  const cached = known.get(name)
  if (cached) return cached
  if (known.size >= maxKnown) known.clear()
  const { light, dark } = schemesOf(chosen)
  const made = { light, darkStyle: darkStyleOf(light, dark), written: new Map<string, Html>() }
  known.set(name, made)
  return made
}

/**
 * The attributes of an element: class, bgcolor and style. `css` is ours, never a value from elsewhere. Kept, because a
 * message has about sixty of them: 0.05 ms instead of 0.11, of 0.4 for a message.
 */
export function painted(colors: MailColors, paint: Paint, css: string, className = ''): Html {
  const key = `${paint.ground} ${paint.ink} ${paint.line} ${className} ${css}`
  const known = colors.written.get(key)
  if (known) return known
  const made = writeAttributes(colors, paint, css, className)
  colors.written.set(key, made)
  return made
}

function writeAttributes({ light }: MailColors, { ground, ink, line }: Paint, css: string, className: string): Html {
  const names = [className, ground && `g-${ground}`, ink && `t-${ink}`, line && `l-${line}`].filter(Boolean)
  const styles = [
    css,
    ground && `background-color:${light[ground]}`,
    ink && `color:${light[ink]}`,
    line && `border-color:${light[line]}`,
  ].filter(Boolean)
  const style = html` style="${styles.join(';')}"`
  const named = names.length === 0 ? undefined : html` class="${names.join(' ')}"`
  // Outlook's Word engine paints table cells by this attribute.
  return ground === undefined ? html`${named}${style}` : html`${named} bgcolor="${light[ground]}"${style}`
}

/**
 * Dark mode for clients that follow the system (Apple Mail, Outlook for Mac), and for Outlook on the web and on phones,
 * which mark what they have repainted with data-ogsc and data-ogsb. Gmail inverts by itself.
 */
function darkStyleOf(light: Scheme, dark: Scheme): string {
  const names = Object.keys(light) as (keyof Scheme)[] // a scheme has no other fields
  const rules = (before: { ground: string; ink: string }) =>
    names
      .map(
        (name) =>
          `${before.ground}.g-${name}{background-color:${dark[name]}!important}` +
          `${before.ink}.t-${name}{color:${dark[name]}!important}` +
          `${before.ground}.l-${name}{border-color:${dark[name]}!important}`,
      )
      .join('')
  // A logo is drawn for light pages.
  const logo = `.logo{background-color:${light.page}!important;padding:8px 12px!important;border-radius:8px!important}`
  const system = `@media (prefers-color-scheme:dark){${rules({ ground: '', ink: '' })}${logo}}`
  return `${system}${rules({ ground: '[data-ogsb] ', ink: '[data-ogsc] ' })}[data-ogsb] ${logo}`
}
