import { useId } from 'react'
import { type TriggerReceiver, triggerReceivers } from '../../app/integration-words.ts'
import { type Phase, phasesInOrder } from '../../app/phases.ts'
import { useEventNames, useEventWords } from '../../app/words.tsx'
import { Button } from '../../kit/button.tsx'
import { Check, SelectField, TextField } from '../../kit/field.tsx'
import { Card } from '../../kit/page.tsx'
import { t } from '../../texts/texts.ts'
import { hoursInWords, receiverName, type Trigger } from './trigger-words.ts'

/** A trigger while it is edited. */
export interface TriggerDraft extends Trigger {
  receiver: TriggerReceiver
  apply_to_existing: boolean
}

export function emptyTrigger(receiver: TriggerReceiver): TriggerDraft {
  return {
    receiver,
    apply_to_existing: false,
    id: '',
    name: '',
    phase_in: ['in_transit'],
    phase_not_in: [],
    event_key_in: [],
    event_key_not_in: [],
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 72,
    shipment_direction: 'merchant_customer',
  }
}

interface ConditionFieldsProps {
  draft: TriggerDraft
  onChange: (change: Partial<TriggerDraft>) => void
  problems: Record<string, string>
  isNew: boolean
}

const directions = ['merchant_customer', 'customer_merchant', 'partner_customer', 'customer_partner'] as const

/** The conditions under which a trigger fires, and its receivers. */
export function ConditionFields({ draft, onChange, problems, isNew }: ConditionFieldsProps) {
  return (
    <>
      <Card title={t('messages.basics')}>
        <TextField
          label={t('messages.name')}
          help={t('messages.trigger_name_help')}
          required
          value={draft.name}
          error={problems.name}
          onChange={(name) => onChange({ name })}
        />
        <SelectField
          label={t('messages.sent_to')}
          disabled={!isNew}
          value={draft.receiver}
          choices={triggerReceivers.map((value) => ({ value, label: receiverName(value) }))}
          onChange={(receiver) => onChange({ receiver })}
        />
      </Card>
      <Card title={t('messages.when')}>
        <div className="threshold row">
          <TextField
            label={t('messages.threshold')}
            type="number"
            min={0}
            inputMode="numeric"
            value={String(draft.time_threshold_value)}
            error={problems.time_threshold_value}
            help={hoursInWords(draft.time_threshold_value)}
            onChange={(hours) => onChange({ time_threshold_value: Number(hours) })}
          />
          <SelectField
            label={t('messages.counted_from')}
            value={draft.time_threshold_type}
            choices={(['latest_event_time', 'created_at'] as const).map((value) => ({
              value,
              label: t(`messages.counted.${value}`),
            }))}
            help={t(`messages.counted_help.${draft.time_threshold_type}`)}
            onChange={(time_threshold_type) => onChange({ time_threshold_type })}
          />
        </div>
        <PhasesField
          label={t('messages.phase_in')}
          help={t('messages.phase_in_help')}
          chosen={draft.phase_in}
          onChange={(phase_in) => onChange({ phase_in })}
        />
        <details open={hasMore(draft)}>
          <summary>{t('messages.more_conditions')}</summary>
          <div className="stack more-conditions">
            <EventsField
              label={t('messages.event_key_in')}
              chosen={draft.event_key_in}
              onChange={(event_key_in) => onChange({ event_key_in })}
            />
            <EventsField
              label={t('messages.event_key_not_in')}
              chosen={draft.event_key_not_in}
              onChange={(event_key_not_in) => onChange({ event_key_not_in })}
            />
            <SelectField
              label={t('messages.operator')}
              value={draft.operator}
              choices={(['AND', 'OR'] as const).map((value) => ({ value, label: t(`messages.operators.${value}`) }))}
              onChange={(operator) => onChange({ operator })}
            />
            <PhasesField
              label={t('messages.phase_not_in')}
              chosen={draft.phase_not_in}
              onChange={(phase_not_in) => onChange({ phase_not_in })}
            />
            <SelectField
              label={t('messages.direction')}
              value={draft.shipment_direction}
              choices={directions.map((value) => ({ value, label: t(`messages.directions.${value}`) }))}
              onChange={(shipment_direction) => onChange({ shipment_direction })}
            />
          </div>
        </details>
        {isNew && (
          <Check
            label={t('messages.apply_to_existing')}
            help={t('messages.apply_to_existing_help')}
            isChecked={draft.apply_to_existing}
            onChange={(apply_to_existing) => onChange({ apply_to_existing })}
          />
        )}
      </Card>
    </>
  )
}

function hasMore({ event_key_in, event_key_not_in, phase_not_in, shipment_direction }: TriggerDraft): boolean {
  return (
    event_key_in.length + event_key_not_in.length + phase_not_in.length > 0 ||
    shipment_direction !== 'merchant_customer'
  )
}

interface PhasesFieldProps {
  label: string
  help?: string
  chosen: readonly Phase[]
  onChange: (chosen: Phase[]) => void
}

function PhasesField({ label, help, chosen, onChange }: PhasesFieldProps) {
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      {help && <p className="help">{help}</p>}
      <div className="phase-grid">
        {phasesInOrder.map((phase) => (
          <Check
            key={phase}
            label={t(`phase.${phase}`)}
            isChecked={chosen.includes(phase)}
            onChange={(isChosen) =>
              onChange(phasesInOrder.filter((each) => (each === phase ? isChosen : chosen.includes(each))))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

interface EventsFieldProps {
  label: string
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Chosen events as chips, and a list to add from. */
function EventsField({ label, chosen, onChange }: EventsFieldProps) {
  const id = useId()
  const events = useEventNames()
  const eventWords = useEventWords()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {chosen.length > 0 && (
        <ul className="row event-chips">
          {chosen.map((key) => (
            <li key={key} className="event-chip">
              {eventWords(key)}
              <Button
                variant="quiet"
                icon="close"
                isIconOnly
                isSmall
                onClick={() => onChange(chosen.filter((each) => each !== key))}
              >
                {t('messages.remove_event', { name: eventWords(key) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <select id={id} value="" onChange={(event) => onChange([...chosen, event.target.value])}>
        <option value="">{t('messages.add_event')}</option>
        {phasesInOrder.map((phase) => (
          <optgroup key={phase} label={t(`phase.${phase}`)}>
            {events
              .filter((event) => event.phase === phase && !chosen.includes(event.event_name))
              .map(({ event_name, text }) => (
                <option key={event_name} value={event_name}>
                  {text}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </div>
  )
}
