import { writeFile } from 'node:fs/promises'
import type { Schemas } from 'doorstep-client'
import { command } from '../frame/command.ts'
import type { Output } from '../frame/output.ts'

export const promiseBacktest = command({
  name: 'promise backtest',
  summary: "Try delivery promises on the shop's history, next to three ways to promise without them",
  needs: 'shop',
  options: {
    percentile: {
      type: 'string',
      value: 'SHARE',
      summary: 'The share of parcels that should come in time',
      default: '0.9',
    },
    days: { type: 'number', value: 'DAYS', summary: 'How many days of the history, at most 365', default: 90 },
    plot: { type: 'string', value: 'FILE', summary: 'Where to write a picture of it, such as backtest.svg' },
  },
  examples: [
    { line: 'promise backtest', says: 'Coverage and width over the last 90 days' },
    { line: 'promise backtest --percentile 0.95 --plot backtest.svg', says: 'With a picture' },
  ],
  async run({ client, shop, options, output }) {
    const query = { percentile: Number(options.percentile), days: options.days, plot: options.plot !== undefined }
    const { plot, ...found } = await client.get('/v1/shops/{slug}/delivery-promises/backtest', {
      params: { path: { slug: shop }, query },
    })
    if (options.plot !== undefined && plot !== null) await writeFile(options.plot, plot)
    output.result(found, () => describe(found, output))
    if (options.plot !== undefined) output.note(`\nThe picture is in ${options.plot}.`)
  },
})

const names = {
  model: 'model',
  carrier_table: 'carrier table',
  fixed_days: 'fixed days',
  plain_percentile: 'plain percentile',
}

function describe(found: Omit<Schemas['PromiseBacktest'], 'plot'>, output: Output): string {
  const { from, to, parcels, learnt_from, percentile } = found
  if (parcels === 0) {
    return `No parcel that was sent from ${from} to ${to} has arrived and had others before it to learn from.`
  }
  return [
    `${parcels} parcels sent from ${from} to ${to}, promised at ${percent(percentile)} from ${learnt_from} finished journeys.`,
    '',
    output.table(
      ['METHOD', 'IN TIME', 'WITHIN WINDOW', 'MEAN DAYS', 'DAYS AT EQUAL COVERAGE'],
      found.methods.map(({ method, in_time, coverage, mean_width, width_at_equal_coverage }) => [
        names[method],
        percent(in_time),
        percent(coverage),
        mean_width.toFixed(2),
        width_at_equal_coverage === null ? 'not reached' : width_at_equal_coverage.toFixed(2),
      ]),
    ),
    '',
    output.table(
      ['STATED', 'CAME TRUE', 'PROMISES'],
      found.calibration.map(({ stated, realised, promises }) => [percent(stated), percent(realised), String(promises)]),
    ),
  ].join('\n')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
