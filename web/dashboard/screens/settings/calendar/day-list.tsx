import type { Schemas } from 'doorstep-client'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { t } from '../../../texts/texts.ts'

export type NamedDay = Schemas['NamedDay']

interface DayListProps {
  name: 'closed_days' | 'open_days'
  days: readonly NamedDay[]
  problems: Record<string, string>
  onChange: (days: NamedDay[]) => void
}

const maxDays = 200

/** Days with what they are called. */
export function DayList({ name, days, problems, onChange }: DayListProps) {
  const change = (index: number, changed: Partial<NamedDay>) =>
    onChange(days.map((day, at) => (at === index ? { ...day, ...changed } : day)))
  return (
    <div className="stack">
      {days.length > 0 && (
        <ol className="day-list stack tight">
          {days.map((day, index) => (
            // A line has nothing of its own while it is being typed.
            <li key={index} className="day-line">
              <TextField
                label={t('calendar.date')}
                isLabelHidden={index > 0}
                type="date"
                required
                value={day.date}
                error={problems[`${name}.${index}.date`]}
                onChange={(date) => change(index, { date })}
              />
              <TextField
                label={t('calendar.day_name')}
                isLabelHidden={index > 0}
                maxLength={100}
                value={day.name}
                onChange={(name) => change(index, { name })}
              />
              <Button
                variant="quiet"
                icon="trash"
                isIconOnly
                onClick={() => onChange(days.filter((_, at) => at !== index))}
              >
                {t('calendar.remove', { day: day.name || day.date || String(index + 1) })}
              </Button>
            </li>
          ))}
        </ol>
      )}
      <div className="row">
        <Button
          icon="plus"
          disabled={days.length >= maxDays}
          onClick={() => onChange([...days, { date: '', name: '' }])}
        >
          {t(`calendar.add_${name}`)}
        </Button>
      </div>
    </div>
  )
}
