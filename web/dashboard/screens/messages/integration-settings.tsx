import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Reply, read, refresh } from '../../app/api.ts'
import { hasSegments, type IntegrationName, type OwnSetting, ownSettingOf } from '../../app/integration-words.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Check, SelectField, TextField } from '../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../kit/form.tsx'
import { Card } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'

type Bundle = Reply<'/v1/shops/{slug}/settings/bundle'>

const groupKeys = ['shipment_id', 'tracking_number', 'external_shipment_id'] as const

interface Fields {
  stale_event_threshold: string
  trigger_delivered_all_events: boolean
  segments_enabled: boolean
  shipment_group_key: (typeof groupKeys)[number]
  own: string
  use_proxy: boolean
}

/** The settings for what an integration gets, and when. */
export function IntegrationSettings({ name }: { name: IntegrationName }) {
  const slug = useSlug()
  const query = useQuery(read('/v1/shops/{slug}/settings/bundle', { params: { path: { slug } } }))
  return (
    <Card title={t('messages.what_is_sent')}>
      {query.data ? (
        <SettingsForm name={name} stored={fieldsOf(query.data, name)} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <SkeletonLines count={5} />
      )}
    </Card>
  )
}

function SettingsForm({ name, stored }: { name: IntegrationName; stored: Fields }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const isAdmin = useMay('admin')
  const draft = useDraft(stored)
  const { value, set } = draft
  const setting = ownSettingOf(name)
  const save = useMutation({
    mutationFn: () =>
      api.patch('/v1/shops/{slug}/settings/triggers/{integration}', {
        params: { path: { slug, integration: name } },
        body: bodyOf(name, value),
      }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/settings', '/v1/shops/{slug}/integrations')
      draft.reset()
      toasts.done(t('kit.saved'))
    },
  })
  const problems = problemsByField(save.error)
  const isFull = name !== 'shopify'
  return (
    <Form
      className="stack"
      problems={problems}
      labels={{ stale_event_threshold: t('messages.stale'), ...(setting ? { [setting]: ownLabel(setting) } : {}) }}
      onSubmit={() => save.mutate()}
    >
      <fieldset className="stack" disabled={!isAdmin}>
        <legend className="unseen">{t('messages.what_is_sent')}</legend>
        {setting && (
          <TextField
            label={ownLabel(setting)}
            help={t(`messages.setting_help.${setting}`)}
            value={value.own}
            error={problems[setting]}
            onChange={(own) => set({ own })}
          />
        )}
        <TextField
          label={t('messages.stale')}
          help={t('messages.stale_help')}
          type="number"
          min={0}
          inputMode="numeric"
          className="short-input"
          value={value.stale_event_threshold}
          error={problems.stale_event_threshold}
          onChange={(stale_event_threshold) => set({ stale_event_threshold })}
        />
        {isFull && (
          <>
            <Check
              label={t('messages.all_delivered')}
              help={t('messages.all_delivered_help')}
              isChecked={value.trigger_delivered_all_events}
              onChange={(trigger_delivered_all_events) => set({ trigger_delivered_all_events })}
            />
            {hasSegments(name) && (
              <Check
                label={t('messages.segments')}
                help={t('messages.segments_help')}
                isChecked={value.segments_enabled}
                onChange={(segments_enabled) => set({ segments_enabled })}
              />
            )}
            <SelectField
              label={t('messages.once_per')}
              help={t('messages.once_per_help')}
              value={value.shipment_group_key}
              choices={groupKeys.map((key) => ({ value: key, label: t(`messages.group_key.${key}`) }))}
              onChange={(shipment_group_key) => set({ shipment_group_key })}
            />
          </>
        )}
        {name === 'brevo' && (
          <Check
            label={t('messages.use_proxy')}
            help={t('messages.use_proxy_help')}
            isChecked={value.use_proxy}
            onChange={(use_proxy) => set({ use_proxy })}
          />
        )}
      </fieldset>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

function ownLabel(setting: OwnSetting): string {
  return t(`messages.setting.${setting}`)
}

function fieldsOf(bundle: Bundle, name: IntegrationName): Fields {
  // Every field that any of them has; those that this one lacks get the default.
  const data = (bundle.triggers.data[name] ?? { stale_event_threshold: 4 }) as Partial<
    Omit<Fields, 'own' | 'stale_event_threshold'>
  > & {
    stale_event_threshold: number
  } & Partial<Record<OwnSetting, string | null>>
  const setting = ownSettingOf(name)
  return {
    stale_event_threshold: String(data.stale_event_threshold),
    trigger_delivered_all_events: data.trigger_delivered_all_events ?? false,
    segments_enabled: data.segments_enabled ?? false,
    shipment_group_key: data.shipment_group_key ?? 'shipment_id',
    own: (setting && data[setting]) ?? '',
    use_proxy: data.use_proxy ?? false,
  }
}

function bodyOf(name: IntegrationName, value: Fields) {
  const setting = ownSettingOf(name)
  const hours = value.stale_event_threshold.trim()
  const common = { stale_event_threshold: hours === '' ? null : Number(hours) }
  if (name === 'shopify') return common
  return {
    ...common,
    trigger_delivered_all_events: value.trigger_delivered_all_events,
    ...(hasSegments(name) ? { segments_enabled: value.segments_enabled } : {}),
    shipment_group_key: value.shipment_group_key,
    ...(setting ? { [setting]: value.own.trim() || null } : {}),
    ...(name === 'brevo' ? { use_proxy: value.use_proxy } : {}),
  }
}
