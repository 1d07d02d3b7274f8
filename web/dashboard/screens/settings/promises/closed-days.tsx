import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { formatDate } from '../../../kit/format.ts'
import { t } from '../../../texts/texts.ts'

interface ClosedDaysProps {
  days: readonly string[]
  problemOf: (index: number) => string | undefined
  onChange: (days: string[]) => void
}

const maxDays = 200

/** Days on which a warehouse hands nothing over, besides public holidays and the shop's calendar. */
export function ClosedDays({ days, problemOf, onChange }: ClosedDaysProps) {
  return (
    <fieldset className="field">
      <legend>{t('promises.closed_days')}</legend>
      {days.length > 0 && (
        <ul className="closed-days">
          {days.map((day, index) => (
            // A line has nothing of its own while it is being typed.
            <li key={index}>
              <TextField
                label={t('promises.closed_day', { line: index + 1 })}
                isLabelHidden
                type="date"
                value={day}
                error={problemOf(index)}
                onChange={(changed) => onChange(days.map((known, at) => (at === index ? changed : known)))}
              />
              <Button
                variant="quiet"
                icon="trash"
                isIconOnly
                onClick={() => onChange(days.filter((_, at) => at !== index))}
              >
                {t('promises.remove', {
                  name: day === '' ? t('promises.unnamed') : formatDate(`${day}T12:00:00`),
                })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button isSmall icon="plus" disabled={days.length >= maxDays} onClick={() => onChange([...days, ''])}>
          {t('promises.add_closed_day')}
        </Button>
      </div>
      <p className="help">{t('promises.closed_days_help')}</p>
    </fieldset>
  )
}
