import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read, readList } from '../../app/api.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Page } from '../../kit/page.tsx'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { useDelete, useMayChange } from './changes.ts'
import { emptyDraft, type StoredAutomation, toDraft } from './draft.ts'
import { Editor } from './editor.tsx'
import { Runs } from './runs.tsx'
import { Switch } from './switch.tsx'

const path = '/v1/shops/{slug}/automations/{automation_id}'

function useBack(): ReactNode {
  const slug = useSlug()
  return (
    <Link to="/$slug/marketing/automations" params={{ slug }}>
      {t('nav.automations')}
    </Link>
  )
}

export function Automation() {
  const { automationId } = useParams({ strict: false })
  return automationId === undefined ? <NewAutomation /> : <Stored automationId={automationId} />
}

/** A new automation, empty or as a copy of another. */
function NewAutomation() {
  const slug = useSlug()
  const back = useBack()
  const { from } = useSearch({ from: '/signed-in/$slug/marketing/automations/new' })
  const copied = useQuery({
    ...read(path, { params: { path: { slug, automation_id: from ?? '' } } }),
    enabled: from !== undefined,
  })
  if (from !== undefined && copied.data === undefined) return <Waiting query={copied} back={back} />
  const draft = copied.data
    ? { ...toDraft(copied.data), name: t('automations.copy_of', { name: copied.data.name }) }
    : emptyDraft()
  return (
    <Page title={t('automations.new')} back={back}>
      <Editor key={from ?? 'new'} stored={undefined} initial={draft} mayChange />
    </Page>
  )
}

function Stored({ automationId }: { automationId: string }) {
  const slug = useSlug()
  const back = useBack()
  const query = useQuery(read(path, { params: { path: { slug, automation_id: automationId } } }))
  if (query.data === undefined) return <Waiting query={query} back={back} />
  return <Loaded key={automationId} automation={query.data} back={back} />
}

function Waiting({
  query,
  back,
}: {
  query: { isError: boolean; error: unknown; refetch: () => unknown }
  back: ReactNode
}) {
  return (
    <Page title={t('nav.automations')} back={back}>
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

function Loaded({ automation, back }: { automation: StoredAutomation; back: ReactNode }) {
  const slug = useSlug()
  const mayEdit = useMay('editor')
  const mayChange = useMayChange(automation)
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Page
      title={automation.name}
      back={back}
      aside={<Switch automation={automation} />}
      lead={automation.description}
      actions={
        <>
          {mayChange && (
            <ButtonLink
              icon="copy"
              to="/$slug/marketing/automations/new"
              params={{ slug }}
              search={{ from: automation.uuid }}
            >
              {t('automations.duplicate')}
            </ButtonLink>
          )}
          {mayChange && (
            <Button icon="trash" onClick={() => setDeleting(true)}>
              {t('automations.delete')}
            </Button>
          )}
        </>
      }
    >
      {mayEdit && !mayChange && <Banner title={t('automations.admin_only')}>{t('automations.admin_only_text')}</Banner>}
      <Editor stored={automation} initial={toDraft(automation)} mayChange={mayChange} />
      <Runs automationId={automation.uuid} />
      {isDeleting && <DeleteAutomation automation={automation} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

/** The newest runs are those that may still wait. */
const countedRuns = 100

function DeleteAutomation({ automation, onClose }: { automation: StoredAutomation; onClose: () => void }) {
  const slug = useSlug()
  const remove = useDelete(automation)
  const { data } = useQuery(
    readList('/v1/shops/{slug}/automations/{automation_id}/runs', {
      params: { path: { slug, automation_id: automation.uuid }, query: { per_page: countedRuns } },
    }),
  )
  const waiting = data?.rows.filter(({ status }) => status === 'pending').length ?? 0
  return (
    <Confirm
      title={t('automations.delete_title', { name: automation.name })}
      action={t('automations.delete')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('automations.delete_text')}</p>
      <p>
        {waiting === 0 ? t('automations.delete_none_waiting') : t('automations.delete_waiting', { count: waiting })}
      </p>
    </Confirm>
  )
}
