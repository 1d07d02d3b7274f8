import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { formatNumber, formatShare } from '../../kit/format.ts'
import { Page } from '../../kit/page.tsx'
import { Banner, Problem, wordsOf } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { RelativeTime } from '../../kit/time.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { rich, t } from '../../texts/texts.ts'
import { Report } from './report.tsx'
import { fileOf, type ImportRecord, importsPath, isRunning, progressMs, useUpload } from './use-upload.ts'
import { bytesInWords, reasonOf, stateOf } from './words.ts'

/** One import: its progress, its outcome, and every problem by row. */
export function ImportPage() {
  const slug = useSlug()
  const { importId } = useParams({ from: '/signed-in/$slug/imports/$importId' })
  const query = useQuery({
    ...read('/v1/shops/{slug}/imports/{import_id}', { params: { path: { slug, import_id: importId } } }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? progressMs : false),
  })
  const found = query.data
  const state = found && stateOf(found)
  return (
    <Page
      title={found?.filename ?? t('nav.imports')}
      aside={state && <Badge tone={state.tone}>{state.words}</Badge>}
      lead={
        found &&
        rich('imports.sent', { when: <RelativeTime at={found.created_at} />, size: bytesInWords(found.size_bytes) })
      }
      back={
        <Link to="/$slug/imports" params={{ slug }}>
          {t('nav.imports')}
        </Link>
      }
    >
      {query.isPending ? (
        <>
          <SkeletonBox rows={2} />
          <SkeletonLines count={6} />
        </>
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Content found={query.data} />
      )}
    </Page>
  )
}

function Content({ found }: { found: ImportRecord }) {
  return (
    <>
      {isRunning(found) ? <Progress found={found} /> : <Outcome found={found} />}
      <Counts found={found} />
      {found.ignored_columns.length > 0 && (
        <p className="soft">{t('imports.ignored', { columns: found.ignored_columns.join(', ') })}</p>
      )}
      <Report found={found} />
    </>
  )
}

function Progress({ found }: { found: ImportRecord }) {
  const share = found.size_bytes === 0 ? 0 : found.bytes_read / found.size_bytes
  // By the size of the rows so far; the first batch says enough.
  const estimated = found.bytes_read === 0 ? undefined : Math.max(found.rows, Math.round(found.rows / share))
  return (
    <section className="stack tight" aria-label={t('imports.progress')}>
      <progress max={1} value={share} aria-label={t('imports.progress')} />
      <p>
        {estimated === undefined
          ? t('imports.waiting')
          : t('imports.progress_rows', {
              rows: formatNumber(found.rows),
              total: formatNumber(estimated),
              share: formatShare(Math.floor(share * 100) / 100),
            })}
      </p>
      <p className="soft small">{t('imports.may_leave')}</p>
      <CancelImport found={found} />
    </section>
  )
}

/** The outcome in a sentence, and the next step. */
function Outcome({ found }: { found: ImportRecord }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const mayImport = useMay('editor')
  const upload = useUpload()
  const file = fileOf(queryClient, found.id)
  const orders = found.created + found.updated
  if (found.status === 'failed' || found.status === 'set_aside') {
    return (
      <Banner tone="wrong" title={t(`imports.${found.status}_title`)}>
        {found.reason && <p>{reasonOf({ key: '', message: found.reason })}</p>}
        <p>{t(`imports.${found.status}_text`)}</p>
      </Banner>
    )
  }
  if (found.status === 'cancelled') {
    return (
      <Banner tone="info" title={t('imports.cancelled_title')}>
        <p>{t(found.dry_run ? 'imports.cancelled_check' : 'imports.cancelled_text')}</p>
      </Banner>
    )
  }
  if (!found.dry_run) {
    return (
      <Banner tone={found.failed > 0 ? 'late' : 'good'} title={t('imports.done', { count: orders })}>
        <p>{found.failed > 0 ? t('imports.done_failed', { count: found.failed }) : t('imports.done_all')}</p>
      </Banner>
    )
  }
  const again = file ? (
    <Button variant="primary" isBusy={upload.isPending} onClick={() => upload.mutate({ file, isDryRun: false })}>
      {t('imports.for_real')}
    </Button>
  ) : (
    <ButtonLink to="/$slug/imports" params={{ slug }}>
      {t('imports.choose_again')}
    </ButtonLink>
  )
  return (
    <Banner
      tone={found.failed > 0 ? 'late' : 'good'}
      title={t('imports.checked', { count: orders })}
      action={mayImport && orders > 0 ? again : undefined}
    >
      <p>{found.failed > 0 ? t('imports.checked_failed', { count: found.failed }) : t('imports.checked_all')}</p>
      {upload.isError && <p className="field-error">{wordsOf(upload.error)}</p>}
    </Banner>
  )
}

function Counts({ found }: { found: ImportRecord }) {
  const counts = [
    [t('imports.rows'), found.rows],
    [t(found.dry_run ? 'imports.would_create' : 'imports.created'), found.created],
    [t(found.dry_run ? 'imports.would_update' : 'imports.updated'), found.updated],
    [t('imports.unchanged'), found.unchanged],
    [t('imports.failed'), found.failed],
  ] as const
  return (
    <dl className="figures">
      {counts.map(([name, value]) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Ends an import that has not ended yet, for editors. */
function CancelImport({ found }: { found: ImportRecord }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const mayCancel = useMay('editor')
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/imports/{import_id}/cancel', { params: { path: { slug, import_id: found.id } } }),
    async onSuccess() {
      await refresh(queryClient, importsPath)
      setAsking(false)
    },
    onError: toasts.failed,
  })
  if (!mayCancel) return null
  return (
    <div>
      <Button onClick={() => setAsking(true)}>{t('imports.cancel')}</Button>
      {isAsking && (
        <Confirm
          title={t('imports.cancel_title')}
          action={t('imports.cancel')}
          cancelLabel={t('imports.cancel_not')}
          isBusy={cancel.isPending}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t(found.dry_run ? 'imports.cancel_check' : 'imports.cancel_text')}</p>
        </Confirm>
      )}
    </div>
  )
}
