import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { formatCountry, formatList, formatNumber } from '../../../kit/format.ts'
import { Card } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { t } from '../../../texts/texts.ts'
import { MethodFields } from './methods.tsx'
import { newMethod, newWarehouse, openSuggestions, type Suggestion, type Typed, type TypedMethod } from './typed.ts'

interface MethodListProps {
  value: Typed
  suggestions: readonly Suggestion[]
  problems: Record<string, string>
  onChange: (change: Partial<Typed>) => void
}

const maxMethods = 200
const shownCountries = 5

/** How the shop sends, with what its own parcels suggest. */
export function MethodList({ value, suggestions, problems, onChange }: MethodListProps) {
  const { methods, warehouses, shipping_classes } = value
  const [opened, setOpened] = useState<number>()
  const offered = openSuggestions(suggestions, methods)
  const add = (from: readonly (Suggestion | undefined)[]) => {
    const country = from[0]?.countries[0] ?? 'DE'
    const given = warehouses.length > 0 ? warehouses : [newWarehouse(country)]
    const added = from.map((one) => newMethod(given[0]?.name ?? '', one))
    if (added.length === 1) setOpened(methods.length)
    onChange({ warehouses: given, methods: [...methods, ...added].slice(0, maxMethods) })
  }
  const change = (index: number, changed: Partial<TypedMethod>) =>
    onChange({ methods: methods.map((known, at) => (at === index ? { ...known, ...changed } : known)) })
  return (
    <Card title={t('promises.methods')}>
      <p className="soft">{t('promises.methods_lead')}</p>
      {methods.length === 0 && offered.length === 0 && (
        <Empty title={t('promises.no_methods')}>{t('promises.no_methods_text')}</Empty>
      )}
      {methods.length > 0 && (
        <div className="promise-methods">
          {methods.map((method, index) => (
            <MethodFields
              // A line has nothing of its own while it is being typed.
              key={index}
              method={method}
              isOpen={opened === index || hasProblem(problems, index)}
              warehouses={warehouses}
              classes={shipping_classes}
              problemOf={(field) => problems[`methods.${index}.${field}`]}
              onChange={(changed) => change(index, changed)}
              onRemove={() => {
                setOpened(undefined)
                onChange({ methods: methods.filter((_, at) => at !== index) })
              }}
            />
          ))}
        </div>
      )}
      <div className="row">
        <Button icon="plus" disabled={methods.length >= maxMethods} onClick={() => add([undefined])}>
          {t('promises.add_method')}
        </Button>
      </div>
      {offered.length > 0 && <Suggestions offered={offered} onAdd={add} />}
    </Card>
  )
}

function Suggestions({ offered, onAdd }: { offered: readonly Suggestion[]; onAdd: (from: Suggestion[]) => void }) {
  return (
    <section className="stack" aria-labelledby="promise-suggestions">
      <div className="row apart">
        <h3 id="promise-suggestions">{t('promises.suggestions')}</h3>
        {offered.length > 1 && (
          <Button isSmall onClick={() => onAdd([...offered])}>
            {t('promises.add_all', { count: offered.length })}
          </Button>
        )}
      </div>
      <ul className="promise-suggestions">
        {offered.map((suggestion) => (
          <li key={`${suggestion.carrier_reference} ${suggestion.service}`} className="row apart">
            <span className="grow">
              <span className="strong">{nameOf(suggestion)}</span>{' '}
              <span className="soft small">
                {countriesOf(suggestion)} ·{' '}
                {t('promises.suggested_parcels', {
                  parcels: formatNumber(suggestion.parcels),
                  count: suggestion.parcels,
                })}
              </span>
            </span>
            <Button isSmall icon="plus" onClick={() => onAdd([suggestion])}>
              {t('promises.add_named', { name: nameOf(suggestion) })}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function nameOf({ carrier_name, carrier_reference, service }: Suggestion): string {
  return [carrier_name ?? carrier_reference ?? t('promises.any_carrier'), service].filter(Boolean).join(' · ')
}

function countriesOf({ countries }: Suggestion): string {
  const named = countries.slice(0, shownCountries).map(formatCountry)
  const more = countries.length - named.length
  return formatList(more > 0 ? [...named, t('promises.more_countries', { count: more })] : named)
}

function hasProblem(problems: Record<string, string>, index: number): boolean {
  return Object.keys(problems).some((field) => field.startsWith(`methods.${index}.`))
}
