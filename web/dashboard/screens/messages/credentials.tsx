import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read, refresh } from '../../app/api.ts'
import { useSlug } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, problemsByField } from '../../kit/form.tsx'
import { Card, Facts } from '../../kit/page.tsx'
import { Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { type CredentialName, type IntegrationName, integrationForms } from './integration-words.ts'

type Masked = Partial<Record<CredentialName, string | null>>

/** The stored credentials, masked, and a form that replaces them. */
export function CredentialsCard({ name }: { name: IntegrationName }) {
  const slug = useSlug()
  const [isEditing, setEditing] = useState(false)
  const query = useQuery(read('/v1/shops/{slug}/keys', { params: { path: { slug } } }))
  const stored = query.data?.[name]
  // A single key is shown as text, several by their names.
  const masked: Masked = typeof stored === 'object' && stored !== null ? stored : { api_key: stored ?? null }
  const fields: readonly CredentialName[] = integrationForms[name].credentials
  const isSet = fields.some((field) => masked[field])
  return (
    <Card title={t('messages.credentials')}>
      {query.isPending ? (
        <SkeletonLines count={2} />
      ) : query.isError ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : isEditing || !isSet ? (
        <CredentialsForm name={name} fields={fields} isSet={isSet} onClose={() => setEditing(false)} />
      ) : (
        <>
          <Facts
            facts={fields.map((field) => [
              t(`messages.credential.${field}`),
              <code key={field}>{masked[field] ?? '–'}</code>,
            ])}
          />
          <div>
            <Button icon="key" onClick={() => setEditing(true)}>
              {t('messages.replace_credentials')}
            </Button>
          </div>
        </>
      )}
    </Card>
  )
}

interface CredentialsFormProps {
  name: IntegrationName
  fields: readonly CredentialName[]
  isSet: boolean
  onClose: () => void
}

function CredentialsForm({ name, fields, isSet, onClose }: CredentialsFormProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const [values, setValues] = useState<Partial<Record<CredentialName, string>>>({})
  const save = useMutation({
    // Each system has its own operation; the fields of the form are those of its body.
    mutationFn: () =>
      api.put(`/v1/shops/{slug}/keys/${name}` as '/v1/shops/{slug}/keys/klaviyo', {
        params: { path: { slug } },
        body: values as { api_key: string },
      }),
    async onSuccess() {
      await refresh(queryClient, '/v1/shops/{slug}/keys', '/v1/shops/{slug}/integrations')
      setValues({})
      toasts.done(t('messages.credentials_saved'))
      onClose()
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      className="stack"
      problems={problems}
      labels={Object.fromEntries(fields.map((field) => [field, t(`messages.credential.${field}`)]))}
      onSubmit={() => save.mutate()}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          label={t(`messages.credential.${field}`)}
          type={isSecret(field) ? 'password' : 'text'}
          autoComplete="off"
          required
          value={values[field] ?? ''}
          error={problems[field]}
          onChange={(value) => {
            save.reset()
            setValues((before) => ({ ...before, [field]: value }))
          }}
        />
      ))}
      <p className="help">{t('messages.credentials_help')}</p>
      <div className="row">
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {t('messages.save_credentials')}
        </Button>
        {isSet && <Button onClick={onClose}>{t('kit.cancel')}</Button>}
      </div>
    </Form>
  )
}

function isSecret(field: CredentialName): boolean {
  return field !== 'client_id' && field !== 'username'
}
