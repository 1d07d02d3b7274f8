import type { Schemas } from '@doorstep/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Banner } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { EventPicker } from './event-picker.tsx'

type Endpoint = Schemas['WebhookEndpoint']

interface Fields {
  url: string
  description: string
  enabled_events: string[]
}

/** Creates an endpoint, and shows its secret once. */
export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState<Fields>({ url: '', description: '', enabled_events: ['*'] })
  const create = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/webhooks', {
        params: { path: { slug } },
        body: { ...fields, description: fields.description || null },
      }),
    onSuccess: () => refresh(queryClient, '/v1/shops/{slug}/webhooks'),
  })
  if (create.data) return <Created endpoint={create.data} onClose={onClose} />
  return (
    <EndpointDialog
      title={t('messages.new_endpoint')}
      action={t('messages.create_endpoint')}
      fields={fields}
      onChange={(change) => {
        create.reset()
        setFields((before) => ({ ...before, ...change }))
      }}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    />
  )
}

/** Changes the address, the description and the events of an endpoint. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [fields, setFields] = useState<Fields>({
    url: endpoint.url,
    description: endpoint.description ?? '',
    enabled_events: endpoint.enabled_events,
  })
  const save = useMutation({
    mutationFn: () =>
      api.patch('/v1/shops/{slug}/webhooks/{uuid}', {
        params: { path: { slug, uuid: endpoint.uuid } },
        body: { ...fields, description: fields.description || null },
      }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/webhooks')
      toasts.done(t('kit.saved'))
      onClose()
    },
  })
  return (
    <EndpointDialog
      title={t('messages.edit_endpoint')}
      action={t('kit.save')}
      fields={fields}
      onChange={(change) => {
        save.reset()
        setFields((before) => ({ ...before, ...change }))
      }}
      error={save.error}
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    />
  )
}

interface EndpointDialogProps {
  title: string
  action: string
  fields: Fields
  onChange: (change: Partial<Fields>) => void
  error: unknown
  isBusy: boolean
  onSubmit: () => void
  onClose: () => void
}

function EndpointDialog({ title, action, fields, onChange, error, isBusy, onSubmit, onClose }: EndpointDialogProps) {
  const problems = problemsByField(error)
  return (
    <Dialog
      title={title}
      shape="wide"
      closesLightly={false}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" isBusy={isBusy} onClick={onSubmit}>
            {action}
          </Button>
        </>
      }
    >
      <Form
        className="stack"
        problems={problems}
        labels={{ url: t('messages.url'), enabled_events: t('messages.events') }}
        onSubmit={onSubmit}
      >
        <TextField
          label={t('messages.url')}
          help={t('messages.url_help')}
          type="url"
          placeholder="https://"
          required
          autoComplete="off"
          value={fields.url}
          error={problems.url}
          onChange={(url) => onChange({ url })}
        />
        <TextField
          label={t('messages.description')}
          help={t('messages.description_help')}
          value={fields.description}
          error={problems.description}
          onChange={(description) => onChange({ description })}
        />
        <EventPicker
          chosen={fields.enabled_events}
          error={problems.enabled_events}
          onChange={(enabled_events) => onChange({ enabled_events })}
        />
        <input type="submit" hidden />
      </Form>
    </Dialog>
  )
}

function Created({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const slug = useSlug()
  return (
    <SecretDialog
      title={t('messages.endpoint_created')}
      secret={endpoint.secret ?? ''}
      onClose={onClose}
      action={
        <ButtonLink
          look="primary"
          to="/$slug/messages/webhooks/$uuid"
          params={{ slug, uuid: endpoint.uuid }}
          onClick={onClose}
        >
          {t('messages.to_endpoint')}
        </ButtonLink>
      }
    />
  )
}

interface SecretDialogProps {
  title: string
  secret: string
  action?: React.ReactNode
  onClose: () => void
}

/** A new secret, shown this once. */
export function SecretDialog({ title, secret, action, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      closesLightly={false}
      onClose={onClose}
      actions={action ?? <Button onClick={onClose}>{t('messages.secret_stored')}</Button>}
    >
      <Banner tone="late" title={t('messages.secret_once')}>
        <p>{t('messages.secret_once_text')}</p>
      </Banner>
      <CopyField label={t('messages.secret')} value={secret} />
      <p className="help">{t('messages.secret_standard')}</p>
    </Dialog>
  )
}
