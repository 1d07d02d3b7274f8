import { formatCountry, formatList, formatNumber, formatShare } from '../../../kit/format.ts'
import { Card, Facts } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { weekdayName } from '../calendar/weekend.tsx'
import { Preview } from './preview.tsx'
import { type Settings, week } from './typed.ts'

/** For those who may look, but not change. */
export function ReadOnly({ settings }: { settings: Settings }) {
  const { percentile, at_risk_below, warehouses, shipping_classes, methods } = settings
  return (
    <>
      <Preview classes={shipping_classes.map(({ name }) => name)} isChanged={false} />
      <Card title={t('promises.own')}>
        <Facts
          facts={[
            [t('promises.percentile'), formatShare(percentile)],
            [t('promises.at_risk_below'), formatShare(at_risk_below)],
            [
              t('promises.methods'),
              methods.length === 0 ? t('promises.none') : formatList(methods.map(({ name }) => name)),
            ],
            [
              t('promises.classes'),
              shipping_classes.length === 0
                ? undefined
                : formatList(
                    shipping_classes.map(({ name, products }) => `${name} (${formatNumber(products.length)})`),
                  ),
            ],
          ]}
        />
        {warehouses.map((warehouse) => (
          <section key={warehouse.name} className="stack tight">
            <h3>
              {warehouse.name} <span className="soft small">{formatCountry(warehouse.country_code)}</span>
            </h3>
            <ul>
              {week
                .filter((day) => warehouse.cut_offs[day] !== undefined)
                .map((day) => (
                  <li key={day}>
                    {t('promises.cut_off_line', {
                      day: weekdayName(Number(day)),
                      time: warehouse.cut_offs[day] ?? '',
                    })}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <p className="soft small">{t('promises.read_only')}</p>
      </Card>
    </>
  )
}
