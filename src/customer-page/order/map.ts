import { projectRoute, type Stop } from '../../orders/route-map/project.ts'
import { type Html, html } from '../../platform/foundation/html.ts'

const drawn = new Map<string, Html>()
const maxDrawn = 2_000

/** The route of a parcel as an SVG in the page's colours; deterministic for the same stops. */
export function drawMap(stops: readonly Stop[]): Html {
  const name = JSON.stringify(stops)
  const cached = drawn.get(name)
  if (cached) return cached
  if (drawn.size >= maxDrawn) drawn.clear()
  const made = draw(stops)
  drawn.set(name, made)
  return made
}

function draw(stops: readonly Stop[]): Html {
  const { width, height, land, points } = projectRoute(stops)
  const last = points.at(-1)
  const way = points.map(({ x, y }) => `${x},${y}`).join(' ')
  return html`
    <svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
      <path class="land" d="${land}"/>
      <polyline class="way" points="${way}"/>
      ${points.slice(0, -1).map(({ x, y }) => html`<circle class="stop" cx="${x}" cy="${y}" r="4"/>`)}
      ${last && html`<circle class="here" cx="${last.x}" cy="${last.y}" r="8"/>`}
    </svg>`
}
