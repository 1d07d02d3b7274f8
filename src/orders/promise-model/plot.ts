import type { Backtest, CalibrationPoint, MethodName, MethodResult } from './backtest.ts'

const width = 900
const height = 440
const panel = { top: 96, size: 280 }
/** Start of the calibration's axes: below a half nothing is promised. */
const least = 0.5
/** A stated share should come true to within so much. */
const tolerance = 0.03

const names: Record<MethodName, string> = {
  model: 'Model',
  plain_percentile: 'Plain percentile',
  carrier_table: 'Carrier table',
  fixed_days: 'Fixed days',
}

/** Results of a back-test, as one picture (SVG) that is legible on light and dark pages. */
export function plotBacktest(result: Backtest, title = 'Back-test of delivery promises'): string {
  const says = `${result.parcels.toLocaleString('en')} parcels sent from ${result.from} to ${result.to}, each promised by what had been delivered before`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="title" x="24" y="32">${escapeText(title)}</text>
<text class="small" x="24" y="53">${escapeText(says)}</text>
<g transform="translate(74 ${panel.top})">${drawCalibration(result.calibration)}</g>
<g transform="translate(560 ${panel.top})">${drawWidths(result)}</g>
</svg>
`
}

const style = `
text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-size:17px;font-weight:600}.name{font-weight:600}.small{fill:#59636e}
.paper{fill:#fff}.grid{stroke:#d8dee4;stroke-width:1}.ideal{stroke:#59636e;stroke-width:1;stroke-dasharray:4 3}.band{fill:#0969da;opacity:.1}
.line{fill:none;stroke:#0969da;stroke-width:1.5}.point,.model{fill:#0969da}.other{fill:#8c959f}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.paper{fill:#0d1117}.grid{stroke:#30363d}.ideal{stroke:#9198a1}
.band,.point,.model{fill:#58a6ff}.line{stroke:#58a6ff}.other{fill:#6e7681}}`

function drawCalibration(points: CalibrationPoint[]): string {
  const { size } = panel
  const x = (share: number) => round(((share - least) / (1 - least)) * size)
  const y = (share: number) => round(size - ((Math.max(share, least) - least) / (1 - least)) * size)
  const ticks = [0.5, 0.6, 0.7, 0.8, 0.9, 1]
  const band = [
    [least, least + tolerance],
    [1 - tolerance, 1],
    [1, 1],
    [1, 1 - tolerance],
    [least + tolerance, least],
    [least, least],
  ]
  const most = Math.max(...points.map(({ promises }) => promises), 1)
  return [
    `<text class="name" x="0" y="-14">Calibration: what was stated, and what came true (band: ±3 points)</text>`,
    ...ticks.map(
      (share) =>
        `<path class="grid" d="M0 ${y(share)}H${size}"/><text class="small" x="-8" y="${y(share) + 4}" text-anchor="end">${percent(share)}</text>` +
        `<text class="small" x="${x(share)}" y="${size + 18}" text-anchor="middle">${percent(share)}</text>`,
    ),
    `<polygon class="band" points="${band.map(([one = 0, other = 0]) => `${x(one)},${y(other)}`).join(' ')}"/>`,
    `<path class="ideal" d="M${x(least)} ${y(least)}L${x(1)} ${y(1)}"/>`,
    `<polyline class="line" points="${points.map(({ stated, realised }) => `${x(stated)},${y(realised)}`).join(' ')}"/>`,
    ...points.map(({ stated, realised, promises }) => {
      const radius = round(2.5 + 4 * Math.sqrt(promises / most))
      return `<circle class="point" cx="${x(stated)}" cy="${y(realised)}" r="${radius}"><title>${percent(stated, 1)} stated, ${percent(realised, 1)} came true, ${promises} promises</title></circle>`
    }),
    `<text class="small" x="${size / 2}" y="${size + 38}" text-anchor="middle">stated share of parcels that arrive in time</text>`,
  ].join('\n')
}

function drawWidths({ methods, percentile }: Backtest): string {
  const space = 300
  const most = Math.max(...methods.map(({ widthAtModelCoverage }) => widthAtModelCoverage ?? 0), 1)
  const own = methods.find(({ method }) => method === 'model')
  const sorted = methods.toSorted((one, other) => widthOf(one) - widthOf(other))
  return [
    `<text class="name" x="0" y="-14">Width at equal coverage</text>`,
    `<text class="small" x="0" y="6">mean days, if ${percent(own?.coverage ?? 0, 1)} of parcels come within it</text>`,
    ...sorted.map(({ method, widthAtModelCoverage: days }, index) => {
      const top = 34 + index * 58
      const label = days === null ? 'not reached' : `${days.toFixed(2)} days`
      const length = days === null ? 0 : round((days / most) * (space - 70))
      return (
        `<text x="0" y="${top}">${names[method]}</text><rect class="${method === 'model' ? 'model' : 'other'}" x="0" y="${top + 7}" width="${length}" height="18" rx="2"/>` +
        `<text class="small" x="${length + 8}" y="${top + 20}">${label}</text>`
      )
    }),
    `<text class="small" x="0" y="${panel.size + 18}">Model at ${percent(percentile)}: ${percent(own?.inTime ?? 0, 1)} came in time.</text>`,
  ].join('\n')
}

function widthOf({ widthAtModelCoverage }: MethodResult): number {
  return widthAtModelCoverage ?? Number.POSITIVE_INFINITY
}

function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
