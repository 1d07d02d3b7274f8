import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { isTriggerReceiver, type TriggerReceiver } from '../../app/integration-words.ts'
import { useMay, useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Form, problemsByField, SaveBar, useDraft } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Empty, SkeletonBox, SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { ConditionFields, emptyTrigger, type TriggerDraft } from './trigger-fields.tsx'
import { TriggerPreview } from './trigger-preview.tsx'
import type { Trigger as StoredTrigger } from './trigger-words.ts'

/** The editor of a trigger: conditions on the left, the parcels that it would fire for now on the right. */
export function Trigger() {
  const slug = useSlug()
  const { integration, triggerId } = useParams({
    from: '/signed-in/$slug/messages/triggers/$integration/$triggerId',
  })
  const isNew = triggerId === 'new'
  const query = useQuery({
    ...read('/v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/{trigger_id}', {
      params: { path: { slug, integration: integration as TriggerReceiver, trigger_id: triggerId } },
    }),
    enabled: !isNew,
  })
  const back = (
    <Link to="/$slug/messages/triggers" params={{ slug }}>
      {t('nav.triggers')}
    </Link>
  )
  if (!isTriggerReceiver(integration)) {
    return (
      <Page title={t('nav.triggers')} back={back}>
        <Empty title={t('problem.no_page')}>{t('problem.no_page_text')}</Empty>
      </Page>
    )
  }
  if (isNew) return <TriggerEditor receiver={integration} stored={undefined} back={back} />
  if (query.data) return <TriggerEditor key={triggerId} receiver={integration} stored={query.data} back={back} />
  return (
    <Page title={t('nav.triggers')} back={back}>
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

interface EditorProps {
  receiver: TriggerReceiver
  stored: StoredTrigger | undefined
  back: React.ReactNode
}

const labels = () => ({
  name: t('messages.name'),
  time_threshold_value: t('messages.threshold'),
})

function TriggerEditor({ receiver, stored, back }: EditorProps) {
  const isAdmin = useMay('admin')
  const [isDeleting, setDeleting] = useState(false)
  const draft = useDraft<TriggerDraft>(stored ? { ...emptyTrigger(receiver), ...stored } : emptyTrigger(receiver))
  const save = useSave(receiver, stored, draft)
  const problems = problemsByField(save.error)
  return (
    <Page
      title={stored ? stored.name : t('messages.new_trigger')}
      back={back}
      actions={
        stored &&
        isAdmin && (
          <Button icon="trash" onClick={() => setDeleting(true)}>
            {t('messages.delete_trigger')}
          </Button>
        )
      }
    >
      <Form className="stack loose" problems={problems} labels={labels()} onSubmit={() => save.mutate()}>
        <div className="editor">
          <fieldset className="stack loose" disabled={!isAdmin}>
            <legend className="unseen">{t('messages.conditions')}</legend>
            <ConditionFields
              draft={draft.value}
              onChange={draft.set}
              problems={problems}
              isNew={stored === undefined}
            />
          </fieldset>
          <TriggerPreview draft={draft.value} triggerId={stored?.id} />
        </div>
        <SaveBar
          draft={draft}
          isBusy={save.isPending || save.isSuccess}
          action={stored ? t('kit.save') : t('messages.create_trigger')}
        />
      </Form>
      {isDeleting && stored && (
        <DeleteTrigger receiver={receiver} trigger={stored} onClose={() => setDeleting(false)} />
      )}
    </Page>
  )
}

function useSave(
  receiver: TriggerReceiver,
  stored: StoredTrigger | undefined,
  draft: { value: TriggerDraft; reset: () => void },
) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  return useMutation({
    async mutationFn() {
      const { receiver: chosen, id: _id, apply_to_existing, ...fields } = draft.value
      const path = '/v1/shops/{slug}/settings/triggers/{integration}/internal-triggers'
      if (stored === undefined) {
        const body = { ...fields, apply_to_existing }
        return api.post(path, { params: { path: { slug, integration: chosen } }, body })
      }
      return api.patch(`${path}/{trigger_id}`, {
        params: { path: { slug, integration: receiver, trigger_id: stored.id } },
        body: fields,
      })
    },
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/settings')
      draft.reset()
      toasts.done(stored ? t('kit.saved') : t('messages.trigger_created'))
      await navigate({ to: '/$slug/messages/triggers', params: { slug }, ignoreBlocker: true })
    },
  })
}

interface DeleteTriggerProps {
  receiver: TriggerReceiver
  trigger: StoredTrigger
  onClose: () => void
}

function DeleteTrigger({ receiver, trigger, onClose }: DeleteTriggerProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const remove = useMutation({
    mutationFn: () =>
      api.delete('/v1/shops/{slug}/settings/triggers/{integration}/internal-triggers/{trigger_id}', {
        params: { path: { slug, integration: receiver, trigger_id: trigger.id } },
      }),
    async onSuccess() {
      await navigate({ to: '/$slug/messages/triggers', params: { slug }, ignoreBlocker: true })
      await refresh(queryClient, '/v1/shops/{slug}/settings/bundle')
      toasts.done(t('messages.trigger_deleted'))
    },
    onError: toasts.failed,
  })
  return (
    <Confirm
      title={t('messages.delete_trigger_title', { name: trigger.name })}
      action={t('messages.delete_trigger')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('messages.delete_trigger_text')}</p>
    </Confirm>
  )
}
