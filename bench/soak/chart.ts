/** One line of a panel. A point without a value is a gap. */
export interface Series {
  name: string
  values: (number | undefined)[]
}

export interface Panel {
  title: string
  unit: string
  series: Series[]
}

const panelWidth = 430
const panelHeight = 170
const gap = { x: 40, y: 62 }
const margin = { left: 62, top: 108, right: 24, bottom: 44 }
const columns = 2

/** Small multiples over one time axis, as one picture that is legible on light and dark pages. */
export function drawChart(chart: { title: string; subtitle: string; minutes: number[]; panels: Panel[] }): string {
  const rows = Math.ceil(chart.panels.length / columns)
  const width = margin.left + columns * panelWidth + (columns - 1) * (gap.x + 22) + margin.right
  const height = margin.top + rows * panelHeight + (rows - 1) * gap.y + margin.bottom
  const last = chart.minutes.at(-1) ?? 1
  const panels = chart.panels.map((panel, index) => {
    const left = margin.left + (index % columns) * (panelWidth + gap.x + 22)
    const top = margin.top + Math.floor(index / columns) * (panelHeight + gap.y)
    return `<g transform="translate(${left} ${top})">${drawPanel(panel, chart.minutes, last)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(chart.title)}">
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="title" x="20" y="30">${escapeText(chart.title)}</text>
<text class="small" x="20" y="50">${escapeText(chart.subtitle)}</text>
${panels.join('\n')}
</svg>
`
}

const style = `
text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-size:17px;font-weight:600}.name{font-weight:600}.small{fill:#59636e}
.paper{fill:#fff}.grid{stroke:#d8dee4;stroke-width:1}polyline{fill:none;stroke-width:1.5;stroke-linejoin:round}
.s0{stroke:#0969da}.s1{stroke:#bc4c00}.s2{stroke:#1a7f37}.s3{stroke:#8250df}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.paper{fill:#0d1117}.grid{stroke:#30363d}
.s0{stroke:#58a6ff}.s1{stroke:#f0883e}.s2{stroke:#3fb950}.s3{stroke:#bc8cff}}`

function drawPanel({ title, unit, series }: Panel, minutes: number[], last: number): string {
  const highest = Math.max(...series.flatMap(({ values }) => values.filter((value) => value !== undefined)), 0)
  const step = niceStep(highest / 4)
  const top = Math.max(step, Math.ceil(highest / step) * step)
  const x = (minute: number) => round((minute / last) * panelWidth)
  const y = (value: number) => round(panelHeight - (value / top) * panelHeight)
  const levels = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  const minuteStep = niceStep(last / 6)
  const ticks = Array.from({ length: Math.floor(last / minuteStep + 1e-9) + 1 }, (_, index) => index * minuteStep)
  return [
    `<text class="name" x="0" y="-24">${escapeText(title)}</text>`,
    `<text class="small" x="${panelWidth}" y="-24" text-anchor="end">${escapeText(unit)}</text>`,
    legend(series),
    ...levels.map(
      (value) =>
        `<path class="grid" d="M0 ${y(value)}H${panelWidth}"/><text class="small" x="-8" y="${y(value) + 4}" text-anchor="end">${label(value)}</text>`,
    ),
    ...ticks.map(
      (minute) =>
        `<text class="small" x="${x(minute)}" y="${panelHeight + 17}" text-anchor="middle">${label(minute)}${minute === 0 ? ' min' : ''}</text>`,
    ),
    ...series.map(
      ({ values }, index) =>
        `<polyline class="s${index % 4}" points="${points(values, minutes, x, y)}"><title>${escapeText(series[index]?.name ?? '')}</title></polyline>`,
    ),
  ].join('\n')
}

function legend(series: Series[]): string {
  if (series.length < 2) return ''
  let left = 0
  return series
    .map(({ name }, index) => {
      const at = left
      left += 36 + name.length * 6.5
      return `<path class="s${index % 4}" d="M${round(at)} -10h14" stroke-width="3"/><text class="small" x="${round(at + 19)}" y="-6">${escapeText(name)}</text>`
    })
    .join('')
}

function points(
  values: (number | undefined)[],
  minutes: number[],
  x: (minute: number) => number,
  y: (value: number) => number,
): string {
  return values
    .flatMap((value, index) => (value === undefined ? [] : [`${x(minutes[index] ?? 0)},${y(value)}`]))
    .join(' ')
}

/** 1, 2 or 5 times a power of ten, at least the given value. */
function niceStep(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find((factor) => factor * power >= value) ?? 10) * power
}

function label(value: number): string {
  return String(Number(value.toPrecision(3)))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
