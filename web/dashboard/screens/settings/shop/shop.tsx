import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { api, type Reply, read, refresh } from '../../../app/api.ts'
import { ImageField } from '../../../app/image-field.tsx'
import { type Language, languageChoices, languageName, pageLanguages } from '../../../app/languages.ts'
import { useMay, useSlug } from '../../../app/session.ts'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../../kit/form.tsx'
import { Card, Facts, Page } from '../../../kit/page.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { SkeletonLines } from '../../../kit/states.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import { Descriptions } from './descriptions.tsx'

type Profile = Reply<'/v1/shops/{slug}/profile'>
type Changes = Schemas['ShopUpdate']

/** The shop's own data: what customers see of it, and in which languages. */
export function ShopSettings() {
  return (
    <Page title={t('shop.title')} lead={t('shop.lead')}>
      {useMay('admin') ? <Editable /> : <ReadOnly />}
    </Page>
  )
}

function Editable() {
  const slug = useSlug()
  const query = useQuery(read('/v1/shops/{slug}/profile', { params: { path: { slug } } }))
  if (query.isPending) return <SkeletonLines count={9} />
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  return <ProfileForm key={slug} profile={query.data} />
}

function ProfileForm({ profile }: { profile: Profile }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const draft = useDraft(profile)
  const { value, set } = draft
  const save = useMutation({
    mutationFn: () => saveProfile(slug, profile, value),
    onSuccess: async () => {
      await refresh(queryClient, '/v1/shops/{slug}', '/v1/session')
      draft.reset()
      toasts.done(t('shop.saved'))
    },
  })
  const problems = problemsByField(save.error)
  const text = (name: TextName) => ({
    label: t(`shop.${name}`),
    value: value[name] ?? '',
    error: problems[name],
    onChange: (typed: string) => set({ [name]: typed === '' && name !== 'name' ? null : typed }),
  })
  return (
    <Form problems={problems} labels={labels()} onSubmit={() => save.mutate()}>
      <Card title={t('shop.general')}>
        <div className="form-grid">
          <TextField {...text('name')} maxLength={255} required />
          <TextField {...text('organization')} maxLength={255} />
          <SelectField
            label={t('shop.industry')}
            value={value.industry ?? ''}
            choices={[
              { value: '' as const, label: t('shop.not_chosen') },
              ...industries.map((industry) => ({ value: industry, label: t(`shop.industries.${industry}`) })),
            ]}
            onChange={(industry) => set({ industry: industry === '' ? null : industry })}
          />
          <SelectField
            label={t('shop.language')}
            help={t('shop.language_help')}
            value={value.language}
            choices={languageChoices()}
            onChange={(language) => set({ language })}
          />
        </div>
        <p className="soft small">{t('shop.slug_note', { slug: profile.slug, currency: profile.shop_currency })}</p>
      </Card>
      <Card title={t('shop.contact')}>
        <p className="soft">{t('shop.contact_lead')}</p>
        <div className="form-grid">
          <TextField {...text('contact_email')} type="email" autoComplete="off" />
          <TextField {...text('contact_phone')} type="tel" autoComplete="off" />
          <TextField {...text('shop_url')} type="url" placeholder="https://" />
          <TextField {...text('shop_service_url')} inputMode="url" maxLength={2048} placeholder="https://" />
          <TextField {...text('shop_faq_url')} inputMode="url" maxLength={2048} placeholder="https://" />
          <TextField {...text('shop_admin_url')} type="url" placeholder="https://" help={t('shop.admin_url_help')} />
        </div>
      </Card>
      <Card title={t('shop.logo')}>
        <ImageField
          label={t('shop.logo_url')}
          alt={t('shop.logo_alt')}
          kind="logo"
          url={value.logo_url}
          help={t('shop.logo_help')}
          error={problems.logo_url}
          onChange={(logo_url) => set({ logo_url })}
        />
      </Card>
      <Card title={t('shop.descriptions')}>
        <p className="soft">{t('shop.descriptions_lead')}</p>
        <Descriptions
          descriptions={value.descriptions}
          shopLanguage={value.language}
          onChange={(descriptions) => set({ descriptions })}
        />
      </Card>
      <SaveBar draft={draft} isBusy={save.isPending} />
    </Form>
  )
}

const textNames = [
  'name',
  'organization',
  'contact_email',
  'contact_phone',
  'shop_url',
  'shop_service_url',
  'shop_faq_url',
  'shop_admin_url',
] as const
type TextName = (typeof textNames)[number]

/** Only what was changed is sent. A description is stored for the language that its request names. */
async function saveProfile(slug: string, before: Profile, after: Profile): Promise<void> {
  const params = { path: { slug } }
  const names = [...textNames, 'industry', 'language', 'logo_url'] as const
  const changed = names.filter((name) => after[name] !== before[name])
  const body: Changes = Object.fromEntries(changed.map((name) => [name, after[name]]))
  if (changed.length > 0) await api.patch('/v1/shops/{slug}', { params, body })
  for (const language of pageLanguages) {
    const [was, is] = [textIn(before, language), textIn(after, language)]
    if (was === is) continue
    const headers = { 'accept-language': language }
    await api.patch('/v1/shops/{slug}', { params, headers, body: { description: is } })
  }
}

function textIn({ descriptions }: Profile, language: Language): string | null {
  return descriptions.find((description) => description.language === language)?.text.trim() || null
}

function labels(): Record<string, string> {
  return Object.fromEntries([...textNames, 'logo_url' as const].map((name) => [name, t(`shop.${name}`)]))
}

/** Those who may not change it see what every member of the shop may see. */
function ReadOnly() {
  const slug = useSlug()
  const query = useQuery(read('/v1/shops/{slug}', { params: { path: { slug } } }))
  if (query.isPending) return <SkeletonLines count={6} />
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  const shop = query.data
  return (
    <Card title={t('shop.general')}>
      <Facts
        facts={[
          [t('shop.name'), shop.name],
          [t('shop.organization'), shop.organization],
          [t('shop.industry'), shop.industry && t(`shop.industries.${shop.industry}`)],
          [t('shop.language'), shop.language && languageName(shop.language)],
          [t('shop.currency'), shop.shop_currency],
          [t('shop.contact_phone'), shop.contact_phone],
          [t('shop.shop_service_url'), shop.shop_service_url],
          [t('shop.shop_faq_url'), shop.shop_faq_url],
          [t('shop.description'), shop.description],
        ]}
      />
      <p className="soft small">{t('shop.read_only')}</p>
    </Card>
  )
}

const industries = [
  'clothing_and_accessories',
  'electronics',
  'food_and_drink',
  'health_and_beauty',
  'home_and_garden',
  'sports_and_recreation',
  'jewelry_and_accessories',
  'toys_and_games',
  'pet_care',
  'automotive',
  'books_and_media',
  'office_and_business',
  'arts_and_crafts',
  'baby_and_kids',
  'other',
] as const satisfies readonly NonNullable<Schemas['ShopProfile']['industry']>[]
