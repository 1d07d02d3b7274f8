import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { useCarrierName } from '../../app/words.tsx'
import { Check, ChoiceField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../kit/form.tsx'
import { formatList } from '../../kit/format.ts'
import { Card } from '../../kit/page.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { type Provider, type ProviderName, providersPath } from './known-providers.ts'

type Scope = 'all' | 'only' | 'except'
type Chosen = Pick<Provider, 'status' | 'enabled_carriers' | 'disabled_carriers'>

/** Whether a provider is on, and the carriers whose parcels it tracks. */
export function ProviderForm({ name, provider }: { name: ProviderName; provider: Provider }) {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const { status, enabled_carriers, disabled_carriers } = provider
  const stored: Chosen = { status, enabled_carriers, disabled_carriers }
  const draft = useDraft<Chosen>(stored)
  const save = useMutation({
    mutationFn: (chosen: Chosen) => api.patch(providersPath, { params: { path: { slug } }, body: { [name]: chosen } }),
    onSuccess: async (_reply, chosen) => {
      await refresh(queryClient, providersPath)
      draft.reset()
      toasts.done(
        t('carriers.saved', { name: provider.name }),
        chosen === stored ? undefined : () => save.mutate(stored),
      )
    },
  })
  const tracked = <Tracked provider={provider} />
  if (!mayChange) {
    return (
      <Card title={t('carriers.settings')}>
        <p>{t(`carriers.status.${status}`)}</p>
        {tracked}
      </Card>
    )
  }
  return (
    <Form className="stack" problems={problemsByField(save.error)} onSubmit={() => save.mutate(draft.value)}>
      <Card title={t('carriers.settings')}>
        <ChoiceField
          label={t('carriers.status_label')}
          value={draft.value.status}
          choices={(['live', 'testing', 'disabled'] as const).map((value) => ({
            value,
            label: t(`carriers.status.${value}`),
            help: t(`carriers.status_help.${value}`),
          }))}
          onChange={(value) => draft.set({ status: value })}
        />
        {provider.supported_carriers.length > 1 && (
          <CarrierScope
            supported={provider.supported_carriers}
            enabled={draft.value.enabled_carriers}
            disabled={draft.value.disabled_carriers}
            onChange={(enabled, disabled) => draft.set({ enabled_carriers: enabled, disabled_carriers: disabled })}
          />
        )}
        {tracked}
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

/** The carriers that the provider tracks with these settings: another provider may come first for a carrier. */
function Tracked({ provider: { tracked_carriers } }: { provider: Provider }) {
  const nameOf = useCarrierName()
  const names = tracked_carriers.map(nameOf)
  const shown = names.length > 6 ? [...names.slice(0, 5), t('carriers.others', { count: names.length - 5 })] : names
  return (
    <p className="soft small">
      {names.length === 0 ? t('carriers.tracks_none') : t('carriers.tracks', { carriers: formatList(shown) })}
    </p>
  )
}

interface CarrierScopeProps {
  supported: readonly string[]
  enabled: readonly string[]
  disabled: readonly string[]
  onChange: (enabled: string[], disabled: string[]) => void
}

function CarrierScope({ supported, enabled, disabled, onChange }: CarrierScopeProps) {
  const given: Scope = enabled.length > 0 ? 'only' : disabled.length > 0 ? 'except' : 'all'
  const [scope, setScope] = useState<Scope>(given)
  const chosen = scope === 'only' ? enabled : disabled
  return (
    <>
      <ChoiceField<Scope>
        label={t('carriers.scope')}
        value={scope}
        choices={(['all', 'only', 'except'] as const).map((value) => ({
          value,
          label: t(`carriers.scope_${value}`, { count: supported.length }),
        }))}
        onChange={(next) => {
          setScope(next)
          onChange([], [])
        }}
      />
      {scope !== 'all' && (
        <CarrierPicker
          supported={supported}
          chosen={chosen}
          onChange={(carriers) => (scope === 'only' ? onChange(carriers, []) : onChange([], carriers))}
        />
      )}
    </>
  )
}

interface CarrierPickerProps {
  supported: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function CarrierPicker({ supported, chosen, onChange }: CarrierPickerProps) {
  const nameOf = useCarrierName()
  const [sought, setSought] = useState('')
  const words = sought.trim().toLowerCase()
  const carriers = supported
    .map((reference) => ({ reference, name: nameOf(reference) }))
    .filter(({ reference, name }) => name.toLowerCase().includes(words) || reference.includes(words))
    .sort((left, right) => left.name.localeCompare(right.name))
  return (
    <fieldset className="catalogue stack tight">
      <legend className="unseen">{t('carriers.scope')}</legend>
      <TextField
        label={t('carriers.find')}
        isLabelHidden
        type="search"
        placeholder={t('carriers.find')}
        value={sought}
        onChange={setSought}
      />
      <p className="soft small">{t('carriers.chosen', { count: chosen.length })}</p>
      <div className="catalogue-groups carrier-choices">
        {carriers.map(({ reference, name }) => (
          <Check
            key={reference}
            label={name}
            isChecked={chosen.includes(reference)}
            onChange={(isOn) => onChange(isOn ? [...chosen, reference] : chosen.filter((known) => known !== reference))}
          />
        ))}
        {carriers.length === 0 && <p className="soft">{t('list.nothing_found')}</p>}
      </div>
    </fieldset>
  )
}
