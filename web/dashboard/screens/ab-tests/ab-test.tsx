import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read, refresh, refreshMs } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { formatDate } from '../../kit/format.ts'
import { Card, Columns, Facts, Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { ConversionChart, RevenueChart, VariantTable } from './results.tsx'
import { periodWords, type Results, statusTones, typeWords, verdictTones, verdictWords } from './verdict-words.ts'

/** A test: its result in a sentence, then the figures behind it. */
export function AbTest() {
  const slug = useSlug()
  const { uuid } = useParams({ from: '/signed-in/$slug/marketing/ab-tests/$uuid' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/ab-tests/{uuid}/results', { params: { path: { slug, uuid } } }),
    refetchInterval: refreshMs * 3,
  })
  const back = (
    <Link to="/$slug/marketing/ab-tests" params={{ slug }}>
      {t('nav.ab_tests')}
    </Link>
  )
  if (query.data) return <ResultsPage results={query.data} back={back} />
  return (
    <Page title={t('nav.ab_tests')} back={back}>
      {query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <SkeletonLines />
          <SkeletonBox rows={6} />
        </>
      )}
    </Page>
  )
}

function ResultsPage({ results, back }: { results: Results; back: React.ReactNode }) {
  const mayEnd = useMay('editor') && results.status !== 'completed'
  const [isEnding, setEnding] = useState(false)
  const { verdict, status } = results
  return (
    <Page
      title={results.name}
      back={back}
      aside={<Badge tone={statusTones[status]}>{t(`ab_tests.status.${status}`)}</Badge>}
      actions={mayEnd && <Button onClick={() => setEnding(true)}>{t('ab_tests.end')}</Button>}
    >
      {verdict.kind === 'mismatched' && (
        <Banner tone="wrong" title={t('ab_tests.mismatch_title')}>
          <p>{t('ab_tests.mismatch_text')}</p>
        </Banner>
      )}
      <Columns
        main={
          <>
            <section className={`verdict ${verdictTones[verdict.kind]}`} aria-label={t('ab_tests.means')}>
              <p className="verdict-words">{verdictWords(results)}</p>
            </section>
            <h2>{t('ab_tests.figures')}</h2>
            <ConversionChart results={results} />
            <RevenueChart results={results} />
          </>
        }
        side={
          <Card title={t('ab_tests.about')}>
            <Facts
              facts={[
                [t('ab_tests.segment'), results.segment],
                [t('ab_tests.campaign_type'), typeWords(results.campaign_type)],
                [t('ab_tests.period'), periodWords({ ...results, start_date: results.from })],
                [t('ab_tests.holdout'), results.holdout ? `${results.holdout.percentage} %` : t('ab_tests.no_holdout')],
                [
                  t('ab_tests.needed'),
                  verdict.needed_customers === null || verdict.kind === 'better'
                    ? null
                    : t('ab_tests.needed_count', { count: verdict.needed_customers }),
                ],
              ]}
            />
            <p className="small soft">{t('ab_tests.how')}</p>
          </Card>
        }
      />
      <VariantTable results={results} />
      {isEnding && <EndTest results={results} onClose={() => setEnding(false)} />}
    </Page>
  )
}

function EndTest({ results, onClose }: { results: Results; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const { uuid, variants, holdout, end_date: plannedEnd } = results
  const customers = [...variants, ...(holdout ? [holdout] : [])].reduce((sum, arm) => sum + arm.customers, 0)
  const end = useMutation({
    mutationFn: () => api.post('/v1/shops/{slug}/ab-tests/{uuid}/end-test', { params: { path: { slug, uuid } } }),
    async onSuccess() {
      onClose()
      toasts.done(t('ab_tests.ended'))
      await refresh(queryClient, '/v1/shops/{slug}/ab-tests')
    },
    onError: toasts.failed,
  })
  return (
    <Confirm
      title={t('ab_tests.end_title', { name: results.name })}
      action={t('ab_tests.end')}
      isBusy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t('ab_tests.end_text')}</p>
      <p>
        {plannedEnd
          ? t('ab_tests.end_keep_until', { count: customers, day: formatDate(plannedEnd) })
          : t('ab_tests.end_keep', { count: customers })}
      </p>
      <p>{t('ab_tests.end_next')}</p>
    </Confirm>
  )
}
