import { IntervalBars, type IntervalRow } from '../../kit/charts/interval-bars.tsx'
import { formatMoney, formatNumber, formatShare } from '../../kit/format.ts'
import { Card } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import { chanceWords, fewestCustomers, pointsOf, type Results } from './verdict-words.ts'

type Arm = Pick<
  Results['variants'][number],
  'customers' | 'converted_customers' | 'conversion' | 'orders' | 'revenue_per_customer' | 'exposures' | 'clicks'
>

interface NamedArm {
  key: string
  name: string
  arm: Arm
  series: IntervalRow['series']
}

/** The fifth colour is grey, and the holdout's. */
const seriesCount = 4

/** The variants in their order, and the holdout at the end, in grey. */
function armsOf({ variants, holdout }: Results): NamedArm[] {
  const own = variants.map((arm, index) => ({
    key: arm.campaign_id,
    name: arm.name,
    arm,
    series: ((index % seriesCount) + 1) as IntervalRow['series'], // 1 to 4
  }))
  return holdout ? [...own, { key: 'holdout', name: t('ab_tests.holdout_arm'), arm: holdout, series: 5 }] : own
}

const headings = () => ({
  name: t('ab_tests.variant'),
  interval: t('ab_tests.interval'),
  sample: t('ab_tests.sample'),
})

const between = (low: string, high: string) => t('ab_tests.between', { low, high })

export function ConversionChart({ results }: { results: Results }) {
  return (
    <IntervalBars
      title={t('ab_tests.conversion')}
      lead={t('ab_tests.conversion_lead')}
      format={formatShare}
      words={between}
      headings={{ ...headings(), value: t('ab_tests.conversion') }}
      rows={armsOf(results).map(({ key, name, arm, series }) => ({
        name: key,
        label: name,
        series,
        measured:
          arm.conversion && arm.customers >= fewestCustomers
            ? { value: arm.conversion.rate, low: arm.conversion.low, high: arm.conversion.high }
            : undefined,
        sample: sampleWords(arm),
      }))}
    />
  )
}

export function RevenueChart({ results }: { results: Results }) {
  return (
    <IntervalBars
      title={t('ab_tests.revenue')}
      lead={t('ab_tests.revenue_lead')}
      format={(value) => formatMoney(Math.max(0, value), results.currency)}
      words={between}
      headings={{ ...headings(), value: t('ab_tests.revenue') }}
      rows={armsOf(results).map(({ key, name, arm, series }) => ({
        name: key,
        label: name,
        series,
        measured:
          arm.revenue_per_customer && arm.customers >= fewestCustomers
            ? {
                value: arm.revenue_per_customer.mean,
                low: arm.revenue_per_customer.low,
                high: arm.revenue_per_customer.high,
              }
            : undefined,
        sample: sampleWords(arm),
      }))}
    />
  )
}

/** "24 of 400 customers"; below ten, why there is no rate. */
function sampleWords({ customers, converted_customers: converted }: Arm): string {
  const words = t('ab_tests.of_customers', { converted, count: customers })
  return customers >= fewestCustomers ? words : `${words} · ${t('ab_tests.too_few')}`
}

/** Everything that was counted, a line for each variant. */
export function VariantTable({ results }: { results: Results }) {
  const chances = new Map(results.variants.map((variant) => [variant.campaign_id, variant]))
  return (
    <Card title={t('ab_tests.counts')} isFlush>
      <div className="table-frame">
        <table className="table" aria-label={t('ab_tests.counts')}>
          <thead>
            <tr>
              <th scope="col">{t('ab_tests.variant')}</th>
              {(['share', 'customers', 'views', 'clicks', 'orders', 'best', 'to_holdout'] as const).map((column) => (
                <th key={column} scope="col" className="number">
                  {t(`ab_tests.column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {armsOf(results).map(({ key, name, arm }) => {
              const variant = chances.get(key)
              const isEnough = arm.customers >= fewestCustomers
              return (
                <tr key={key}>
                  <td data-label={t('ab_tests.variant')}>{name}</td>
                  <Cell column="share">{formatShare(shareOf(results, variant?.allocation))}</Cell>
                  <Cell column="customers">{formatNumber(arm.customers)}</Cell>
                  <Cell column="views">{formatNumber(arm.exposures)}</Cell>
                  <Cell column="clicks">{formatNumber(arm.clicks)}</Cell>
                  <Cell column="orders">{formatNumber(arm.orders)}</Cell>
                  <Cell column="best">
                    {variant?.chance_to_be_best != null && isEnough ? chanceWords(variant.chance_to_be_best) : '–'}
                  </Cell>
                  <Cell column="to_holdout">{variant && isEnough ? holdoutWords(variant) : '–'}</Cell>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function Cell({
  column,
  children,
}: {
  column: 'share' | 'customers' | 'views' | 'clicks' | 'orders' | 'best' | 'to_holdout'
  children: React.ReactNode
}) {
  return (
    <td className="number" data-label={t(`ab_tests.column.${column}`)}>
      {children}
    </td>
  )
}

/** Of all customers: the campaigns share what the holdout leaves. */
function shareOf({ holdout }: Results, allocation: number | undefined): number {
  const heldOut = holdout?.percentage ?? 0
  return (allocation === undefined ? heldOut : ((100 - heldOut) * allocation) / 100) / 100
}

function holdoutWords({ difference_to_holdout: difference }: Results['variants'][number]): string {
  if (difference === null) return '–'
  return t('ab_tests.points_between', {
    value: `${difference.value > 0 ? '+' : ''}${pointsOf(difference.value)}`,
    low: pointsOf(difference.low),
    high: pointsOf(difference.high),
  })
}
