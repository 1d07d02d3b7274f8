import { writeFileSync } from 'node:fs'
import { backtest } from '../src/orders/promise-model/backtest.ts'
import { plotBacktest } from '../src/orders/promise-model/plot.ts'
import { generateJourneys } from '../test/harness/generated-journeys.ts'

/**
 * Calibration and width of delivery promises on the generated journeys of test/harness/generated-journeys.ts: eleven
 * months, learnt again every day. SEED: other journeys; PERCENTILE: default 0.9; PICTURE: where to write the plot (SVG).
 */
const seed = Number(process.env.SEED ?? 1)
const percentile = Number(process.env.PERCENTILE ?? 0.9)
const learnEveryDays = Number(process.env.LEARN_EVERY_DAYS ?? 1)
const picture = process.env.PICTURE

const result = await backtest(generateJourneys({ seed }), {
  from: '2025-03-01',
  to: '2026-01-31',
  percentile,
  learnEveryDays,
})
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
console.log(
  `seed ${seed}, ${result.parcels} parcels, promised at ${percent(percentile)}, stated ${percent(result.stated)}`,
)
console.table(
  result.methods.map(({ method, inTime, coverage, width, widthAtModelCoverage }) => ({
    method,
    'in time': percent(inTime),
    'within window': percent(coverage),
    'mean days': width.toFixed(2),
    'days at equal coverage': widthAtModelCoverage?.toFixed(2) ?? 'not reached',
  })),
)
console.table(
  result.calibration.map(({ stated, realised, promises }) => ({
    stated: percent(stated),
    'came true': percent(realised),
    points: ((realised - stated) * 100).toFixed(1),
    promises,
  })),
)
if (picture !== undefined) writeFileSync(picture, plotBacktest(result, 'Delivery promises on generated journeys'))
