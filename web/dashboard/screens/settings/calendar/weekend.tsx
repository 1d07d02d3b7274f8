import { Check } from '../../../kit/field.tsx'
import { locale, t } from '../../../texts/texts.ts'

const week = [1, 2, 3, 4, 5, 6, 7]

/** Monday is 1, Sunday 7. */
export function weekdayName(weekday: number): string {
  // The first of January 2024 was a Monday.
  return new Intl.DateTimeFormat(locale(), { weekday: 'long' }).format(new Date(2024, 0, weekday, 12))
}

/** The days of the week on which nothing is delivered. At least one day is left to deliver on. */
export function Weekend({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <fieldset className="field weekend">
      <legend>{t('calendar.weekend_lead')}</legend>
      <div className="row">
        {week.map((weekday) => {
          const isOff = days.includes(weekday)
          return (
            <Check
              key={weekday}
              label={weekdayName(weekday)}
              isChecked={isOff}
              isDisabled={!isOff && days.length === week.length - 1}
              onChange={(isChecked) =>
                onChange(week.filter((day) => (day === weekday ? isChecked : days.includes(day))))
              }
            />
          )
        })}
      </div>
    </fieldset>
  )
}
