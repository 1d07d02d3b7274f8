import type { Schemas } from 'doorstep-client'
import { useId, useState } from 'react'
import { TextField } from '../kit/field.tsx'
import { t } from '../texts/texts.ts'
import { phasesInOrder } from './phases.ts'
import { useEventNames } from './words.tsx'

export type EventName = Schemas['CodeMapping']['event_name']

interface EventChoiceProps {
  label: string
  chosen: EventName | undefined
  onChange: (eventName: EventName) => void
}

/** One event of the catalogue, found by its words or chosen by the phase of the parcel. */
export function EventChoice({ label, chosen, onChange }: EventChoiceProps) {
  const name = useId()
  const events = useEventNames()
  const [sought, setSought] = useState('')
  const words = sought.trim().toLowerCase()
  const shown = events.filter(
    ({ event_name, text }) =>
      text.toLowerCase().includes(words) || event_name.toLowerCase().includes(words.replaceAll(' ', '_')),
  )
  const groups = phasesInOrder
    .map((phase) => ({ phase, events: shown.filter((event) => event.phase === phase) }))
    .filter((group) => group.events.length > 0)
  return (
    <fieldset className="catalogue stack tight">
      <legend className="unseen">{label}</legend>
      <TextField
        label={t('messages.find_event')}
        isLabelHidden
        type="search"
        placeholder={t('messages.find_event')}
        value={sought}
        onChange={setSought}
      />
      <div className="catalogue-groups">
        {groups.map((group) => (
          <details
            key={group.phase}
            className="catalogue-group"
            open={words !== '' || group.events.some(({ event_name }) => event_name === chosen)}
          >
            <summary>{t(`phase.${group.phase}`)}</summary>
            <div className="catalogue-events">
              {group.events.map(({ event_name, text }) => (
                <div key={event_name} className="check">
                  <input
                    id={`${name}-${event_name}`}
                    type="radio"
                    name={name}
                    checked={event_name === chosen}
                    onChange={() => onChange(event_name as EventName)} // the catalogue lists the names of the API
                  />
                  <label htmlFor={`${name}-${event_name}`}>{text}</label>
                </div>
              ))}
            </div>
          </details>
        ))}
        {groups.length === 0 && <p className="soft">{t('list.nothing_found')}</p>}
      </div>
    </fieldset>
  )
}
