import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { Conditions } from '../../app/conditions/conditions.tsx'
import { findField, useFields } from '../../app/conditions/words.ts'
import { EventPicker } from '../../app/event-picker.tsx'
import { useMay, useSlug } from '../../app/session.ts'
import { SelectField, TextField } from '../../kit/field.tsx'
import { type Draft, Form, problemsByField, SaveBar, useDraft } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { Actions } from './actions.tsx'
import { type AutomationDraft, type DelayUnit, delayUnits, type StoredAutomation, toWrite } from './draft.ts'
import { DryRun } from './dry-run.tsx'
import { useSentence } from './words.ts'

interface EditorProps {
  stored: StoredAutomation | undefined
  initial: AutomationDraft
  mayChange: boolean
}

const labels = () => ({
  name: t('automations.name'),
  'trigger.events': t('automations.trigger'),
  delay_minutes: t('automations.delay'),
  actions: t('automations.actions'),
})

/** When, if, then: the automation on the left, and its past effect, if it had run, on the right. */
export function Editor({ stored, initial, mayChange }: EditorProps) {
  const sentence = useSentence()
  const mayDryRun = useMay('editor')
  // The same object until another version is loaded: a draft is changed if it differs from it.
  const [first, setFirst] = useState({ version: stored?.updated_at, initial })
  if (first.version !== stored?.updated_at) setFirst({ version: stored?.updated_at, initial })
  const draft = useDraft<AutomationDraft>(first.initial)
  const save = useSave(stored, draft)
  const problems = problemsByField(save.error)
  return (
    <Form problems={problems} labels={labels()} onSubmit={() => save.mutate()}>
      <p className="sentence" aria-live="polite">
        {sentence(draft.value)}
      </p>
      <div className="editor">
        <fieldset className="stack loose" disabled={!mayChange}>
          <legend className="unseen">{t('automations.editor')}</legend>
          <Basics draft={draft} problems={problems} />
          <Card title={t('automations.trigger')}>
            <EventPicker
              chosen={draft.value.events}
              error={problems['trigger.events'] && t('automations.needs_event')}
              onChange={(events) => draft.set({ events })}
            />
          </Card>
          <Card title={t('automations.conditions')}>
            <Conditions
              conditions={draft.value.conditions}
              problems={problems}
              none={t('automations.no_conditions')}
              onChange={(conditions) => draft.set({ conditions })}
            />
          </Card>
          <Delay draft={draft} problems={problems} />
          <Actions actions={draft.value.actions} problems={problems} onChange={(actions) => draft.set({ actions })} />
        </fieldset>
        {mayDryRun && <DryRun draft={draft.value} automationId={stored?.uuid} />}
      </div>
      <SaveBar draft={draft} isBusy={save.isPending} action={stored ? t('kit.save') : t('automations.create')} />
    </Form>
  )
}

interface PartProps {
  draft: Draft<AutomationDraft>
  problems: Record<string, string>
}

function Basics({ draft, problems }: PartProps) {
  return (
    <Card title={t('automations.basics')}>
      <TextField
        label={t('automations.name')}
        required
        maxLength={255}
        value={draft.value.name}
        error={problems.name}
        onChange={(name) => draft.set({ name })}
      />
      <TextField
        label={t('automations.description')}
        help={t('automations.description_help')}
        maxLength={1_000}
        value={draft.value.description}
        error={problems.description}
        onChange={(description) => draft.set({ description })}
      />
    </Card>
  )
}

function Delay({ draft, problems }: PartProps) {
  const units = Object.keys(delayUnits) as DelayUnit[] // its own keys
  return (
    <Card title={t('automations.delay')}>
      <div className="threshold row">
        <TextField
          label={t('automations.delay_length')}
          type="number"
          min={0}
          inputMode="numeric"
          value={draft.value.delay}
          error={problems.delay_minutes}
          onChange={(delay) => draft.set({ delay })}
        />
        <SelectField
          label={t('automations.delay_unit')}
          value={draft.value.unit}
          choices={units.map((value) => ({ value, label: t(`automations.unit.${value}`) }))}
          onChange={(unit) => draft.set({ unit })}
        />
      </div>
      <p className="help">{t('automations.delay_help')}</p>
    </Card>
  )
}

function useSave(stored: StoredAutomation | undefined, draft: Draft<AutomationDraft>) {
  const slug = useSlug()
  const fields = useFields()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  return useMutation({
    mutationFn: () => {
      const body = toWrite(draft.value, ({ field }) => findField(fields, field))
      const list = '/v1/shops/{slug}/automations'
      if (stored === undefined) return api.post(list, { params: { path: { slug } }, body })
      return api.put(`${list}/{automation_id}`, { params: { path: { slug, automation_id: stored.uuid } }, body })
    },
    async onSuccess({ uuid }) {
      await refresh(queryClient, '/v1/shops/{slug}/automations')
      draft.reset()
      toasts.done(stored ? t('kit.saved') : t('automations.created'))
      if (stored) return
      const params = { slug, automationId: uuid }
      await navigate({ to: '/$slug/marketing/automations/$automationId', params, ignoreBlocker: true })
    },
  })
}
