import { countries } from '../../../app/countries.ts'
import { Button } from '../../../kit/button.tsx'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { formatCountry, formatDate } from '../../../kit/format.ts'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import { weekdayName } from '../calendar/weekend.tsx'
import { newWarehouse, type TypedWarehouse, week } from './typed.ts'

interface WarehousesProps {
  warehouses: readonly TypedWarehouse[]
  problems: Record<string, string>
  onChange: (warehouses: TypedWarehouse[], renamed?: { from: string; to: string }) => void
}

const maxWarehouses = 20

/** The warehouses: where they are, their cut-off time on each day, and the days they need for handling. */
export function Warehouses({ warehouses, problems, onChange }: WarehousesProps) {
  return (
    <Card title={t('promises.warehouses')}>
      <p className="soft">{t('promises.warehouses_lead')}</p>
      {warehouses.map((warehouse, index) => (
        <WarehouseFields
          // A line has nothing of its own while it is being typed.
          key={index}
          warehouse={warehouse}
          problemOf={(field) => problems[`warehouses.${index}.${field}`]}
          onChange={(change) =>
            onChange(
              warehouses.map((known, at) => (at === index ? { ...known, ...change } : known)),
              change.name === undefined ? undefined : { from: warehouse.name, to: change.name },
            )
          }
          onRemove={() => onChange(warehouses.filter((_, at) => at !== index))}
        />
      ))}
      <div className="row">
        <Button
          icon="plus"
          disabled={warehouses.length >= maxWarehouses}
          onClick={() => onChange([...warehouses, newWarehouse(warehouses[0]?.country_code ?? 'DE')])}
        >
          {t('promises.add_warehouse')}
        </Button>
      </div>
      <datalist id="promise-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Card>
  )
}

interface WarehouseFieldsProps {
  warehouse: TypedWarehouse
  problemOf: (field: string) => string | undefined
  onChange: (change: Partial<TypedWarehouse>) => void
  onRemove: () => void
}

function WarehouseFields({ warehouse, problemOf, onChange, onRemove }: WarehouseFieldsProps) {
  const { name, country_code, timezone, cut_offs, handling_days, closed_days } = warehouse
  const choices = [...new Set([country_code, ...countries])].map((value) => ({ value, label: formatCountry(value) }))
  return (
    <fieldset className="promise-item stack">
      <legend className="strong">{name || t('promises.unnamed')}</legend>
      <div className="form-grid">
        <TextField
          label={t('promises.name')}
          required
          maxLength={80}
          value={name}
          error={problemOf('name')}
          onChange={(name) => onChange({ name })}
        />
        <SelectField
          label={t('promises.country')}
          value={country_code}
          choices={choices}
          error={problemOf('country_code')}
          onChange={(country_code) => onChange({ country_code })}
        />
        <TextField
          label={t('promises.timezone')}
          list="promise-zones"
          maxLength={64}
          value={timezone}
          error={problemOf('timezone')}
          onChange={(timezone) => onChange({ timezone })}
        />
        <TextField
          label={t('promises.handling_days')}
          help={t('promises.handling_days_help')}
          inputMode="numeric"
          maxLength={2}
          value={handling_days}
          error={problemOf('handling_days')}
          onChange={(handling_days) => onChange({ handling_days })}
        />
      </div>
      <fieldset className="field">
        <legend>{t('promises.cut_offs')}</legend>
        <div className="cut-offs">
          {week.map((day) => (
            <TextField
              key={day}
              label={weekdayName(Number(day))}
              type="time"
              value={cut_offs[day] ?? ''}
              error={problemOf(`cut_offs.${day}`)}
              onChange={(time) => onChange({ cut_offs: { ...cut_offs, [day]: time } })}
            />
          ))}
        </div>
        {problemOf('cut_offs') && <p className="field-error">{problemOf('cut_offs')}</p>}
        <p className="help">{t('promises.cut_offs_help')}</p>
      </fieldset>
      <ClosedDays
        days={closed_days}
        problemOf={(index) => problemOf(`closed_days.${index}`)}
        onChange={(closed_days) => onChange({ closed_days })}
      />
      <div>
        <Button isSmall icon="trash" onClick={onRemove}>
          {t('promises.remove', { name: name || t('promises.unnamed') })}
        </Button>
      </div>
    </fieldset>
  )
}

interface ClosedDaysProps {
  days: readonly string[]
  problemOf: (index: number) => string | undefined
  onChange: (days: string[]) => void
}

const maxDays = 200

/** Days on which a warehouse hands nothing over, besides public holidays and the shop's calendar. */
function ClosedDays({ days, problemOf, onChange }: ClosedDaysProps) {
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
