import type { Grouping } from './search.ts'
import type { Row } from './times.ts'

/** A row of figures as a line of a file: all figures, on the page or not. Its columns are named as in the API. */
export function csvOf(row: Row, groupBy: readonly (Grouping | 'week')[]): Record<string, string | number | null> {
  const values = {
    carrier: row.carrier_name ?? row.carrier_reference,
    country: row.country,
    service: row.service,
    week: row.week,
  }
  return {
    ...Object.fromEntries(groupBy.map((name) => [name, values[name]])),
    delivered: row.delivered,
    ...daysOf('placed', row.since_placed),
    ...daysOf('fulfilled', row.since_fulfilled),
    target_measured: row.target?.measured ?? null,
    target_met: row.target?.met ?? null,
    target_rate: row.target?.rate ?? null,
    expected: row.expected,
    on_time: row.on_time,
    on_time_rate: row.on_time_rate,
    predicted: row.predicted,
    held: row.held,
    early: row.early,
    late: row.late,
    held_rate: row.held_rate,
  }
}

function daysOf(since: string, { measured, business, calendar }: Row['since_placed']) {
  return {
    [`since_${since}_measured`]: measured,
    [`since_${since}_business_median`]: business?.median ?? null,
    [`since_${since}_business_p90`]: business?.p90 ?? null,
    [`since_${since}_calendar_median`]: calendar?.median ?? null,
    [`since_${since}_calendar_p90`]: calendar?.p90 ?? null,
  }
}
