import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, readList, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Check, SelectField, TextField } from '../../kit/field.tsx'
import { type Draft, Form, problemsByField, SaveBar, useDraft } from '../../kit/form.tsx'
import { Card, Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { type AbTestDraft, type CampaignChoice, evenly, newDraft, toCreation } from './draft.ts'
import { VariantFields } from './variant-fields.tsx'
import { typeWords } from './verdict-words.ts'

const mostCampaigns = 100

/** The editor of a new test. The shop's campaigns decide which of them can be compared. */
export function NewAbTest() {
  const slug = useSlug()
  const query = useQuery(
    readList('/v1/shops/{slug}/campaigns', { params: { path: { slug }, query: { per_page: mostCampaigns } } }),
  )
  const back = (
    <Link to="/$slug/marketing/ab-tests" params={{ slug }}>
      {t('nav.ab_tests')}
    </Link>
  )
  return (
    <Page title={t('ab_tests.new')} lead={t('ab_tests.new_lead')} back={back}>
      {query.isPending ? (
        <SkeletonBox rows={6} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : query.data.rows.length === 0 ? (
        <Empty title={t('ab_tests.no_campaigns')}>{t('ab_tests.no_campaigns_text')}</Empty>
      ) : (
        <Editor campaigns={query.data.rows} />
      )}
    </Page>
  )
}

const labels = () => ({
  name: t('ab_tests.name'),
  segment: t('ab_tests.segment'),
  campaign_type: t('ab_tests.campaign_type'),
  campaigns: t('ab_tests.variants'),
  holdout_percentage: t('ab_tests.holdout_percentage'),
  start_date: t('ab_tests.start'),
  end_date: t('ab_tests.end_date'),
})

function Editor({ campaigns }: { campaigns: readonly CampaignChoice[] }) {
  const draft = useDraft<AbTestDraft>(newDraft(campaigns))
  const save = useSave(draft)
  const problems = problemsByField(save.error)
  const { value, set } = draft
  const segments = [...new Set(campaigns.map(({ segment }) => segment))].toSorted()
  const types = [...new Set(campaigns.filter(inSegment(value.segment)).map(({ promotion_type }) => promotion_type))]
  const choices = campaigns.filter(
    ({ segment, promotion_type }) => segment === value.segment && promotion_type === value.campaign_type,
  )
  /** Another segment or type has other campaigns. */
  const choose = (segment: string, campaign_type: string) => {
    const found = campaigns.filter((each) => each.segment === segment && each.promotion_type === campaign_type)
    set({
      segment,
      campaign_type,
      variants: evenly(found.slice(0, 2).map(({ uuid }) => ({ id: uuid, allocation: 0 }))),
    })
  }
  return (
    <Form problems={problems} labels={labels()} onSubmit={() => save.mutate()}>
      <Card title={t('ab_tests.question')}>
        <TextField
          label={t('ab_tests.name')}
          help={t('ab_tests.name_help')}
          required
          maxLength={255}
          value={value.name}
          error={problems.name}
          onChange={(name) => set({ name })}
        />
        <div className="ab-dates">
          <SelectField
            label={t('ab_tests.segment')}
            help={t('ab_tests.segment_help')}
            value={value.segment}
            choices={segments.map((segment) => ({ value: segment, label: segment }))}
            error={problems.segment}
            onChange={(segment) => choose(segment, campaigns.find(inSegment(segment))?.promotion_type ?? '')}
          />
          <SelectField
            label={t('ab_tests.campaign_type')}
            help={t('ab_tests.type_help')}
            value={value.campaign_type}
            choices={types.map((type) => ({ value: type, label: typeWords(type) }))}
            error={problems.campaign_type}
            onChange={(type) => choose(value.segment, type)}
          />
        </div>
      </Card>
      <VariantFields
        campaigns={choices}
        variants={value.variants}
        problems={problems}
        onChange={(variants) => set({ variants })}
      />
      <HoldoutAndDates draft={draft} problems={problems} />
      <SaveBar draft={draft} isBusy={save.isPending || save.isSuccess} action={t('ab_tests.create')} />
    </Form>
  )
}

const inSegment =
  (wanted: string) =>
  ({ segment }: CampaignChoice) =>
    segment === wanted

function HoldoutAndDates({ draft, problems }: { draft: Draft<AbTestDraft>; problems: Record<string, string> }) {
  const { value, set } = draft
  return (
    <Card title={t('ab_tests.who_and_when')}>
      <Check
        label={t('ab_tests.has_holdout')}
        help={t('ab_tests.holdout_help')}
        isChecked={value.has_holdout}
        onChange={(has_holdout) => set({ has_holdout })}
      />
      {value.has_holdout && (
        <TextField
          className="short-input"
          label={t('ab_tests.holdout_percentage')}
          type="number"
          min={0}
          max={100}
          inputMode="numeric"
          value={value.holdout_percentage}
          error={problems.holdout_percentage}
          onChange={(holdout_percentage) => set({ holdout_percentage })}
        />
      )}
      <div className="ab-dates">
        <TextField
          label={t('ab_tests.start')}
          help={t('ab_tests.start_help')}
          type="date"
          value={value.start_date}
          error={problems.start_date}
          onChange={(start_date) => set({ start_date })}
        />
        <TextField
          label={t('ab_tests.end_date')}
          help={t('ab_tests.end_help')}
          type="date"
          value={value.end_date}
          error={problems.end_date}
          onChange={(end_date) => set({ end_date })}
        />
      </div>
    </Card>
  )
}

function useSave(draft: Draft<AbTestDraft>) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  return useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/ab-tests', { params: { path: { slug } }, body: toCreation(draft.value) }),
    async onSuccess(test) {
      draft.reset()
      toasts.done(t('ab_tests.created'))
      await refresh(queryClient, '/v1/shops/{slug}/ab-tests')
      const params = { slug, uuid: test.uuid }
      await navigate({ to: '/$slug/marketing/ab-tests/$uuid', params, ignoreBlocker: true })
    },
  })
}
