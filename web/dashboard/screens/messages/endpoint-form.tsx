import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'doorstep-client'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { Conditions } from '../../app/conditions/conditions.tsx'
import { type DraftCondition, toCondition, toDraftCondition } from '../../app/conditions/draft.ts'
import { findField, useFields } from '../../app/conditions/words.ts'
import { EventPicker } from '../../app/event-picker.tsx'
import { useSlug } from '../../app/session.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Banner } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { type DraftHeader, HeaderFields, toDraftHeaders, toHeaders } from './header-fields.tsx'

type Endpoint = Schemas['WebhookEndpoint']

interface Fields {
  url: string
  description: string
  enabled_events: string[]
  conditions: DraftCondition[]
  headers: DraftHeader[]
}

const emptyFields: Fields = { url: '', description: '', enabled_events: ['*'], conditions: [], headers: [] }

/** The request's body from the form. The known fields decide the type of a condition's value. */
function useToBody(): (fields: Fields) => Schemas['WebhookEndpointCreation'] {
  const known = useFields()
  return ({ url, description, enabled_events, conditions, headers }) => ({
    url,
    description: description || null,
    enabled_events,
    conditions: conditions.map((condition) => toCondition(condition, findField(known, condition.field))),
    headers: toHeaders(headers),
  })
}

/** Creates an endpoint, and shows its secret once. */
export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState<Fields>(emptyFields)
  const toBody = useToBody()
  const create = useMutation({
    mutationFn: () =>
      api.post('/v1/shops/{slug}/webhooks', {
        params: { path: { slug } },
        body: toBody(fields),
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

/** Changes the settings of an endpoint. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [fields, setFields] = useState<Fields>({
    url: endpoint.url,
    description: endpoint.description ?? '',
    enabled_events: endpoint.enabled_events,
    conditions: endpoint.conditions.map(toDraftCondition),
    headers: toDraftHeaders(endpoint.headers),
  })
  const toBody = useToBody()
  const save = useMutation({
    mutationFn: () =>
      api.patch('/v1/shops/{slug}/webhooks/{uuid}', {
        params: { path: { slug, uuid: endpoint.uuid } },
        body: toBody(fields),
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
          <Button variant="primary" isBusy={isBusy} onClick={onSubmit}>
            {action}
          </Button>
        </>
      }
    >
      <Form className="stack" problems={problems} labels={labelsOf(fields)} onSubmit={onSubmit}>
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
        <fieldset className="stack tight">
          <legend className="strong">{t('messages.only_if')}</legend>
          <Conditions
            conditions={fields.conditions}
            problems={problems}
            none={t('messages.no_endpoint_conditions')}
            onChange={(conditions) => onChange({ conditions })}
          />
        </fieldset>
        <fieldset className="stack tight">
          <legend className="strong">{t('messages.own_headers')}</legend>
          <HeaderFields headers={fields.headers} problems={problems} onChange={(headers) => onChange({ headers })} />
        </fieldset>
        <input type="submit" hidden />
      </Form>
    </Dialog>
  )
}

/** For the summary of what is wrong. */
function labelsOf({ conditions, headers }: Fields): Record<string, string> {
  const entries = [
    ['url', t('messages.url')],
    ['enabled_events', t('messages.events')],
    ...conditions.flatMap((_, n) => {
      const label = t('automations.condition_number', { number: n + 1 })
      return ['field', 'operator', 'value'].map((part) => [`conditions.${n}.${part}`, label])
    }),
    ...headers.flatMap((_, n) => {
      const label = t('messages.header_number', { number: n + 1 })
      return ['name', 'value'].map((part) => [`headers.${n}.${part}`, label])
    }),
  ]
  return Object.fromEntries(entries)
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
          variant="primary"
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
      {/* A generated secret has only letters and digits. */}
      <CopyField label={t('messages.secret_standard')} value={`whsec_${btoa(secret)}`} />
    </Dialog>
  )
}
