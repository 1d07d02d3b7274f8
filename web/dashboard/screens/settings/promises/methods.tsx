import { useQuery } from '@tanstack/react-query'
import { read } from '../../../app/api.ts'
import { useCarrierName } from '../../../app/words.tsx'
import { Button } from '../../../kit/button.tsx'
import { Check, SelectField, TextField } from '../../../kit/field.tsx'
import { t } from '../../../texts/texts.ts'
import type { TypedClass, TypedMethod, TypedWarehouse } from './typed.ts'

interface MethodFieldsProps {
  method: TypedMethod
  /** A method that was just added is open. */
  isOpen: boolean
  warehouses: readonly TypedWarehouse[]
  classes: readonly TypedClass[]
  problemOf: (field: string) => string | undefined
  onChange: (change: Partial<TypedMethod>) => void
  onRemove: () => void
}

/** One way in which the shop sends. Folded, it says what it is. */
export function MethodFields(props: MethodFieldsProps) {
  const { method, isOpen, warehouses, problemOf, onChange, onRemove } = props
  const carrierName = useCarrierName()
  const carriers = useCarrierChoices(method.carrier_reference)
  const carrier = method.carrier_reference === '' ? t('promises.any_carrier') : carrierName(method.carrier_reference)
  const where = method.countries.trim() === '' ? t('promises.everywhere') : method.countries
  return (
    <details className="promise-method" open={isOpen || undefined}>
      <summary>
        <span className="strong">{method.name || t('promises.unnamed')}</span>{' '}
        <span className="soft small">{[carrier, method.service, where].filter(Boolean).join(' · ')}</span>
      </summary>
      <div className="stack promise-method-fields">
        <div className="form-grid">
          <TextField
            label={t('promises.method_name')}
            help={t('promises.method_name_help')}
            required
            maxLength={80}
            value={method.name}
            error={problemOf('name')}
            onChange={(name) => onChange({ name })}
          />
          <SelectField
            label={t('promises.warehouse')}
            value={method.warehouse}
            choices={warehouseChoices(warehouses, method.warehouse)}
            error={problemOf('warehouse')}
            onChange={(warehouse) => onChange({ warehouse })}
          />
          <SelectField
            label={t('promises.carrier')}
            value={method.carrier_reference}
            choices={carriers}
            error={problemOf('carrier_reference')}
            onChange={(carrier_reference) => onChange({ carrier_reference })}
          />
          <TextField
            label={t('promises.service')}
            help={t('promises.service_help')}
            maxLength={100}
            value={method.service}
            error={problemOf('service')}
            onChange={(service) => onChange({ service })}
          />
          <TextField
            label={t('promises.countries')}
            help={t('promises.countries_help')}
            value={method.countries}
            error={problemOf('countries')}
            onChange={(countries) => onChange({ countries })}
          />
        </div>
        <ClassChoice {...props} />
        <TableDays method={method} problemOf={problemOf} onChange={onChange} />
        <div>
          <Button isSmall icon="trash" onClick={onRemove}>
            {t('promises.remove', { name: method.name || t('promises.unnamed') })}
          </Button>
        </div>
      </div>
    </details>
  )
}

function ClassChoice({ method, classes, onChange }: MethodFieldsProps) {
  const named = classes.filter(({ name }) => name.trim() !== '')
  if (named.length === 0) return null
  return (
    <fieldset className="field">
      <legend>{t('promises.only_classes')}</legend>
      <div className="row">
        {named.map(({ name }) => (
          <Check
            key={name}
            label={name}
            isChecked={method.shipping_classes.includes(name)}
            onChange={(isChecked) =>
              onChange({
                shipping_classes: isChecked
                  ? [...method.shipping_classes, name]
                  : method.shipping_classes.filter((known) => known !== name),
              })
            }
          />
        ))}
      </div>
      <p className="help">{t('promises.only_classes_help')}</p>
    </fieldset>
  )
}

function TableDays({ method, problemOf, onChange }: Pick<MethodFieldsProps, 'method' | 'problemOf' | 'onChange'>) {
  return (
    <fieldset className="field">
      <legend>{t('promises.table')}</legend>
      <div className="table-days">
        {(['min', 'max'] as const).map((end) => (
          <TextField
            key={end}
            label={t(`promises.table_${end}`)}
            inputMode="numeric"
            maxLength={2}
            value={method[end]}
            error={problemOf(`table_days.${end}`) ?? (end === 'max' ? problemOf('table_days') : undefined)}
            onChange={(days) => onChange({ [end]: days })}
          />
        ))}
      </div>
      <p className="help">{t('promises.table_help')}</p>
    </fieldset>
  )
}

function warehouseChoices(warehouses: readonly TypedWarehouse[], current: string) {
  return [...new Set([current, ...warehouses.map(({ name }) => name)])].map((value) => ({
    value,
    label: value || t('promises.choose'),
  }))
}

function useCarrierChoices(current: string) {
  const { data = [] } = useQuery({ ...read('/v1/carriers'), staleTime: Number.POSITIVE_INFINITY })
  const known = data.map(({ carrier_reference, name }) => ({ value: carrier_reference, label: name }))
  const isKnown = current === '' || known.some(({ value }) => value === current)
  return [
    { value: '', label: t('promises.any_carrier') },
    ...(isKnown ? [] : [{ value: current, label: current }]),
    ...known.toSorted((one, other) => one.label.localeCompare(other.label)),
  ]
}
