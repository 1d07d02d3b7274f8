import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, read, refresh } from '../../../app/api.ts'
import { type Language, pageLanguages } from '../../../app/languages.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { Check, SelectField, TextArea, TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { formatCountry, formatList } from '../../../kit/format.ts'
import { Card, Facts, Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { useShopLanguage } from '../../marketing/use-shop-language.ts'
import { Descriptions } from '../shop/descriptions.tsx'

type Settings = Schemas['WithdrawalSettings']

const path = '/v1/shops/{slug}/settings/withdrawal'

/** Whether the tracking page offers to withdraw from a contract, and how long. */
export function WithdrawalSettings() {
  const slug = useSlug()
  const mayChange = useMay('admin')
  const query = useQuery(read(path, { params: { path: { slug } } }))
  const { language } = useShopLanguage()
  return (
    <Page title={t('withdrawal.title')} lead={t('withdrawal.lead')}>
      {query.isPending && <SkeletonLines count={8} />}
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data &&
        (mayChange ? (
          <SettingsForm key={slug} stored={query.data} shopLanguage={language ?? 'en'} />
        ) : (
          <ReadOnly settings={query.data} />
        ))}
    </Page>
  )
}

/** As it is typed: days as text, categories line by line. */
interface Typed {
  enabled: boolean
  days: string
  country: string
  categories: string
  instructions: Settings['instructions']
}

function SettingsForm({ stored, shopLanguage }: { stored: Settings; shopLanguage: Language }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft(toTyped(stored))
  const { value, set } = draft
  const save = useMutation({
    mutationFn: () => api.patch(path, { params: { path: { slug } }, body: toSettings(value) }),
    onSuccess: async () => {
      await refresh(queryClient, path, '/v1/shops/{slug}/orders/{order_id}/withdrawal')
      draft.reset()
      toasts.done(t('withdrawal.saved'))
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      problems={problems}
      labels={{ period_days: t('withdrawal.days'), exempt_categories: t('withdrawal.categories') }}
      onSubmit={() => save.mutate()}
    >
      <Card>
        <Check
          label={t('withdrawal.switch')}
          help={t('withdrawal.switch_help')}
          isChecked={value.enabled}
          onChange={(enabled) => set({ enabled })}
        />
        <p className="soft small">{t('withdrawal.legal')}</p>
      </Card>
      <Card title={t('withdrawal.period')}>
        <div className="form-grid">
          <TextField
            label={t('withdrawal.days')}
            help={t('withdrawal.days_help')}
            error={problems.period_days}
            inputMode="numeric"
            maxLength={3}
            value={value.days}
            onChange={(days) => set({ days })}
          />
          <CountryField value={value.country} onChange={(country) => set({ country })} />
        </div>
      </Card>
      <Card title={t('withdrawal.exempt')}>
        <p className="soft">{t('withdrawal.exempt_lead')}</p>
        <TextArea
          label={t('withdrawal.categories')}
          help={t('withdrawal.categories_help')}
          error={problems.exempt_categories}
          rows={4}
          value={value.categories}
          onChange={(categories) => set({ categories })}
        />
      </Card>
      <Card title={t('withdrawal.instructions')}>
        <p className="soft">{t('withdrawal.instructions_lead')}</p>
        <Descriptions
          shopLanguage={shopLanguage}
          descriptions={pageLanguages.flatMap((language) => {
            const text = value.instructions[language]
            return text === undefined ? [] : [{ language, text }]
          })}
          onChange={(written) =>
            set({ instructions: Object.fromEntries(written.map(({ language, text }) => [language, text])) })
          }
        />
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

function CountryField({ value, onChange }: { value: string; onChange: (country: string) => void }) {
  const { data } = useQuery(read('/v1/calendars/{country}', { params: { path: { country: 'DE' } } }))
  const countries = [...new Set([...(value === '' ? [] : [value]), ...(data?.countries ?? [])])]
    .map((country) => ({ value: country, label: formatCountry(country) }))
    .sort((left, right) => left.label.localeCompare(right.label))
  return (
    <SelectField
      label={t('withdrawal.country')}
      help={t('withdrawal.country_help')}
      value={value}
      choices={[{ value: '', label: t('withdrawal.country_order') }, ...countries]}
      onChange={onChange}
    />
  )
}

function toTyped({ enabled, period_days, country, exempt_categories, instructions }: Settings): Typed {
  return {
    enabled,
    days: String(period_days),
    country: country ?? '',
    categories: exempt_categories.join('\n'),
    instructions,
  }
}

function toSettings({ enabled, days, country, categories, instructions }: Typed): Settings {
  const texts = Object.entries(instructions).filter(([, text]) => text?.trim())
  return {
    enabled,
    period_days: Number(days),
    country: country === '' ? null : (country as Settings['country']), // one of the choices
    exempt_categories: categories
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    instructions: Object.fromEntries(texts),
  }
}

function ReadOnly({ settings: { enabled, period_days, country, exempt_categories } }: { settings: Settings }) {
  return (
    <Card>
      <Facts
        facts={[
          [t('withdrawal.title'), t(enabled ? 'withdrawal.on' : 'withdrawal.off')],
          [t('withdrawal.period'), t('withdrawal.days_count', { count: period_days })],
          [t('withdrawal.country'), country === null ? t('withdrawal.country_order') : formatCountry(country)],
          [
            t('withdrawal.categories'),
            exempt_categories.length === 0 ? t('withdrawal.none') : formatList(exempt_categories),
          ],
        ]}
      />
      <p className="soft small">{t('withdrawal.read_only')}</p>
    </Card>
  )
}
