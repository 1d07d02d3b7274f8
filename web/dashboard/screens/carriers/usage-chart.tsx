import { Chart } from '../../kit/charts/chart.tsx'
import { formatClock, formatNumber } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'
import type { Provider } from './known-providers.ts'

/** The requests of a day by hour, failed ones in another colour at the foot of each bar. */
export function UsageChart({ usage }: { usage: Provider['usage'] }) {
  const { hours } = usage
  const most = Math.max(1, ...hours.map(({ requests }) => requests))
  const lead = t('carriers.usage_lead', {
    count: usage.requests_last_24_hours,
    failures: formatNumber(usage.failures_last_24_hours),
  })
  return (
    <Chart title={t('carriers.usage')} lead={lead} table={<HourTable hours={hours} />}>
      {usage.requests_last_24_hours === 0 ? (
        <p className="chart-empty soft">{t('carriers.no_usage')}</p>
      ) : (
        <div className="hour-chart">
          <svg role="img" aria-label={lead} viewBox="0 0 240 80" preserveAspectRatio="none">
            {hours.map(({ hour, requests, failures }, index) => (
              <g key={hour}>
                <title>{t('carriers.hour', { time: formatClock(hour), count: requests, failures })}</title>
                <rect className="hour-hit" x={index * 10} y={0} width={10} height={80} />
                <rect
                  className="hour-bar"
                  x={index * 10 + 1}
                  y={80 - (requests / most) * 76}
                  width={8}
                  height={(requests / most) * 76}
                />
                <rect
                  className="hour-bar failed"
                  x={index * 10 + 1}
                  y={80 - (failures / most) * 76}
                  width={8}
                  height={(failures / most) * 76}
                />
              </g>
            ))}
          </svg>
          <p className="row apart soft small" aria-hidden="true">
            <span>{formatClock(hours[0]?.hour ?? '')}</span>
            <span>{t('carriers.most', { count: most })}</span>
            <span>{t('carriers.now')}</span>
          </p>
        </div>
      )}
    </Chart>
  )
}

function HourTable({ hours }: { hours: Provider['usage']['hours'] }) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t('carriers.hour_label')}</th>
          <th scope="col" className="number">
            {t('carriers.requests')}
          </th>
          <th scope="col" className="number">
            {t('carriers.failed')}
          </th>
        </tr>
      </thead>
      <tbody>
        {hours.toReversed().map(({ hour, requests, failures }) => (
          <tr key={hour}>
            <th scope="row">{formatClock(hour)}</th>
            <td className="number">{formatNumber(requests)}</td>
            <td className="number">{formatNumber(failures)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
