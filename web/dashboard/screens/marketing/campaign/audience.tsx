import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { readList } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Check, Field, TextField } from '../../../kit/field.tsx'
import { timeZoneName } from '../../../kit/local-time.ts'
import { Card } from '../../../kit/page.tsx'
import { t } from '../../../texts/texts.ts'
import type { Editor } from '../use-editor.ts'
import type { CampaignDraft } from './draft.ts'

/** Its name, whom it is for, and when it is shown. */
export function AudienceFields({ editor }: { editor: Editor<CampaignDraft> }) {
  const { draft, errorOf, visit } = editor
  const { value, set } = draft
  const field = (name: 'name' | 'start_date' | 'end_date') => ({
    label: t(`campaigns.${name}`),
    value: value[name],
    error: errorOf(name),
    onBlur: () => visit(name),
    onChange: (typed: string) => set({ [name]: typed }),
  })
  return (
    <Card title={t('campaigns.audience')}>
      <TextField {...field('name')} help={t('campaigns.name_help')} maxLength={255} required />
      <SegmentField
        value={value.segment}
        error={errorOf('segment')}
        onChange={(segment) => set({ segment })}
        onBlur={() => visit('segment')}
      />
      <div className="form-grid">
        <TextField {...field('start_date')} type="datetime-local" help={t('campaigns.start_help')} />
        <TextField {...field('end_date')} type="datetime-local" help={t('campaigns.end_help')} />
      </div>
      <p className="soft small">{t('campaigns.time_zone', { zone: timeZoneName() })}</p>
      <Check
        kind="switch"
        label={t('campaigns.enabled')}
        help={t('campaigns.enabled_help')}
        isChecked={value.enabled}
        onChange={(enabled) => set({ enabled })}
      />
    </Card>
  )
}

interface SegmentFieldProps {
  value: string
  error: string | undefined
  onChange: (segment: string) => void
  onBlur: () => void
}

/** Orders can name any segment; those of other campaigns are suggested. */
function SegmentField({ value, error, onChange, onBlur }: SegmentFieldProps) {
  const slug = useSlug()
  const list = useId()
  const { data } = useQuery(
    readList('/v1/shops/{slug}/campaigns', { params: { path: { slug }, query: { per_page: 100 } } }),
  )
  const known = new Set(['default', ...(data?.rows ?? []).map(({ segment }) => segment)])
  return (
    <Field label={t('campaigns.segment')} help={t('campaigns.segment_help')} error={error}>
      {(control) => (
        <>
          <input
            type="text"
            {...control}
            list={list}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            required
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
          />
          <datalist id={list}>
            {[...known].map((segment) => (
              <option key={segment} value={segment} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
