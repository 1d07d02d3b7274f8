import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Field as FieldFrame, SelectField, TextField } from '../../kit/field.tsx'
import { formatCountry } from '../../kit/format.ts'
import { t } from '../../texts/texts.ts'
import { read } from '../api.ts'
import { countries } from '../countries.ts'
import {
  type DraftCondition,
  type DraftOperator,
  emptyCondition,
  type Field,
  takesList,
  takesNothing,
} from './draft.ts'
import { fieldWords, findField, useFields, useValueWords } from './words.ts'

interface ConditionsProps {
  conditions: readonly DraftCondition[]
  problems: Record<string, string>
  /** The meaning of an empty list of conditions. */
  none: string
  onChange: (conditions: DraftCondition[]) => void
}

const mostConditions = 50

/** Conditions that the event has to meet as well. */
export function Conditions({ conditions, problems, none, onChange }: ConditionsProps) {
  const fields = useFields()
  const add = () => onChange([...conditions, emptyCondition()])
  return (
    <>
      {conditions.length === 0 && <p className="soft">{none}</p>}
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          number={index + 1}
          fields={fields}
          condition={condition}
          error={problems[`conditions.${index}.value`] ?? problems[`conditions.${index}.field`]}
          onChange={(changed) => onChange(conditions.map((each) => (each === condition ? changed : each)))}
          onRemove={() => onChange(conditions.filter((each) => each !== condition))}
        />
      ))}
      <div className="row">
        <Button icon="plus" disabled={conditions.length >= mostConditions} onClick={add}>
          {t('automations.add_condition')}
        </Button>
      </div>
    </>
  )
}

interface RowProps {
  number: number
  fields: readonly Field[]
  condition: DraftCondition
  error: string | undefined
  onChange: (condition: DraftCondition) => void
  onRemove: () => void
}

function ConditionRow({ number, fields, condition, error, onChange, onRemove }: RowProps) {
  const field = findField(fields, condition.field)
  const operators = operatorsFor(field, condition.operator)
  const choose = (path: string) => {
    const [first = 'eq'] = operatorsFor(findField(fields, path), undefined)
    onChange({ ...condition, field: path, operator: first, value: '', list: [] })
  }
  return (
    <fieldset className="condition">
      <legend className="unseen">{t('automations.condition_number', { number })}</legend>
      <FieldPicker fields={fields} chosen={condition.field} onChange={choose} />
      {condition.field !== '' && (
        <SelectField
          label={t('automations.operator')}
          isLabelHidden
          value={condition.operator}
          choices={operators.map((value) => ({ value, label: operatorWords(value, field) }))}
          onChange={(operator) => onChange({ ...condition, ...carriedOver(condition, operator) })}
        />
      )}
      {condition.field !== '' && !takesNothing(condition.operator) && (
        <ValueControl field={field} condition={condition} error={error} onChange={onChange} />
      )}
      <Button variant="quiet" icon="trash" isIconOnly onClick={onRemove}>
        {t('automations.remove_condition', { number })}
      </Button>
    </fieldset>
  )
}

/** The chosen value in the form that the new operator takes: a list or a single value. */
function carriedOver({ value, list }: DraftCondition, operator: DraftOperator): Partial<DraftCondition> {
  if (takesList(operator)) return { operator, list: list.length > 0 || value === '' ? list : [value] }
  return { operator, value: value === '' ? (list[0] ?? '') : value }
}

/** Those that make sense for the field; a stored one stays even if it does not. */
function operatorsFor(field: Field | undefined, current: DraftOperator | undefined): DraftOperator[] {
  const known: DraftOperator[] = field
    ? [...field.operators]
    : ['eq', 'neq', 'contains', 'gt', 'lt', 'in', 'not_in', 'exists']
  const offered = known.includes('exists') ? [...known, 'missing' as const] : known
  return current === undefined || offered.includes(current) ? offered : [...offered, current]
}

function operatorWords(operator: DraftOperator, field: Field | undefined): string {
  if (field?.type === 'time' && (operator === 'gt' || operator === 'lt' || operator === 'gte' || operator === 'lte')) {
    return t(`automations.time_op.${operator}`)
  }
  return t(`automations.op.${operator}`)
}

const groups = ['order', 'event', 'shipments', 'customer', 'claims', 'claim_event'] as const

function FieldPicker({
  fields,
  chosen,
  onChange,
}: {
  fields: readonly Field[]
  chosen: string
  onChange: (path: string) => void
}) {
  const isOther = chosen !== '' && !findField(fields, chosen)
  return (
    <FieldFrame label={t('automations.field_label')} isLabelHidden>
      {(control) => (
        <select {...control} value={chosen} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('automations.choose_field')}</option>
          {isOther && <option value={chosen}>{chosen}</option>}
          {groups.map((group) => (
            <optgroup key={group} label={t(`automations.group.${group}`)}>
              {fields
                .filter((field) => field.group === group)
                .map(({ field }) => (
                  <option key={field} value={field}>
                    {fieldWords(field)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

interface ValueProps {
  field: Field | undefined
  condition: DraftCondition
  error: string | undefined
  onChange: (condition: DraftCondition) => void
}

/** The control that fits the type of the field. */
function ValueControl({ field, condition, error, onChange }: ValueProps) {
  const choices = useChoices(field)
  const label = t('automations.value_label')
  const common = { label, isLabelHidden: true, error }
  if (takesList(condition.operator)) {
    const change = (list: string[]) => onChange({ ...condition, list })
    return choices ? (
      <ChosenValues choices={choices} field={field} chosen={condition.list} error={error} onChange={change} />
    ) : (
      <TypedValues {...common} chosen={condition.list} onChange={change} />
    )
  }
  const change = (value: string) => onChange({ ...condition, value })
  if (choices) {
    return (
      <SelectField
        {...common}
        value={condition.value}
        choices={[{ value: '', label: t('automations.choose') }, ...choices]}
        onChange={change}
      />
    )
  }
  const type = field?.type === 'number' ? 'number' : field?.type === 'time' ? 'datetime-local' : 'text'
  return (
    <TextField
      {...common}
      type={type}
      step={type === 'number' ? 'any' : undefined}
      value={type === 'datetime-local' ? localTime(condition.value) : condition.value}
      onChange={change}
    />
  )
}

/** Several texts, separated by commas. Typed text stays as it is, even with a comma at its end. */
function TypedValues({
  chosen,
  onChange,
  ...field
}: {
  label: string
  isLabelHidden: boolean
  error: string | undefined
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const [text, setText] = useState(chosen.join(', '))
  return (
    <TextField
      {...field}
      help={t('automations.comma')}
      value={text}
      onChange={(typed) => {
        setText(typed)
        onChange(
          typed
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
        )
      }}
    />
  )
}

/** A stored time as its control has it: in the reader's zone, without seconds. */
function localTime(value: string): string {
  const time = new Date(value)
  if (value.length <= 16 || Number.isNaN(time.getTime())) return value
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The choices for a field; undefined if any text can be typed. */
function useChoices(field: Field | undefined): { value: string; label: string }[] | undefined {
  const valueWords = useValueWords()
  const { data: carriers = [] } = useQuery({ ...read('/v1/carriers'), enabled: field?.type === 'carrier' })
  if (field?.type === 'country') return countries.map((code) => ({ value: code, label: formatCountry(code) }))
  if (field?.type === 'carrier') return carriers.map(({ carrier_reference: value, name: label }) => ({ value, label }))
  if (field?.type === 'boolean') return ['true', 'false'].map((value) => ({ value, label: valueWords(field, value) }))
  return field?.values?.map((value) => ({ value, label: valueWords(field, value) }))
}

interface ChosenProps {
  choices: readonly { value: string; label: string }[]
  field: Field | undefined
  chosen: readonly string[]
  error: string | undefined
  onChange: (chosen: string[]) => void
}

/** Chosen values as chips, and a list to add from. */
function ChosenValues({ choices, field, chosen, error, onChange }: ChosenProps) {
  const valueWords = useValueWords()
  return (
    <div className="stack tight">
      <FieldFrame label={t('automations.value_label')} isLabelHidden error={error}>
        {(control) => (
          <select {...control} value="" onChange={(event) => onChange([...chosen, event.target.value])}>
            <option value="">{chosen.length === 0 ? t('automations.choose') : t('automations.or_also')}</option>
            {choices
              .filter(({ value }) => !chosen.includes(value))
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </select>
        )}
      </FieldFrame>
      {chosen.length > 0 && (
        <ul className="row event-chips">
          {chosen.map((value) => (
            <li key={value} className="event-chip">
              {valueWords(field, value)}
              <Button
                variant="quiet"
                icon="close"
                isIconOnly
                isSmall
                onClick={() => onChange(chosen.filter((each) => each !== value))}
              >
                {t('automations.remove_value', { name: valueWords(field, value) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
