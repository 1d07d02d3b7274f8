import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { Form, problemsByField } from '../kit/form.tsx'
import { Facts } from '../kit/page.tsx'
import { Problem } from '../kit/problem.tsx'
import { SkeletonLines } from '../kit/states.tsx'
import { t } from '../texts/texts.ts'
import { api, read, refresh } from './api.ts'
import {
  type CredentialName,
  type CredentialSystem,
  credentialDependents,
  credentialFields,
  isOptional,
  isSecret,
} from './credential-fields.ts'
import { RemoveCredentials } from './remove-credentials.tsx'
import { useSlug } from './session.ts'

type Masked = Partial<Record<CredentialName, string | null>>

interface CredentialsProps {
  system: CredentialSystem
  /** Called when new ones are stored. */
  onSaved: () => void
  /** The words on the button; "Save credentials" if absent. */
  action?: string
}

/** The stored credentials, masked, and a form that replaces them. */
export function Credentials({ system, onSaved, action }: CredentialsProps) {
  const slug = useSlug()
  const [isEditing, setEditing] = useState(false)
  const query = useQuery(read('/v1/shops/{slug}/keys', { params: { path: { slug } } }))
  if (query.isPending) return <SkeletonLines count={2} />
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  const stored = query.data[system]
  // A single key is shown as text, several by their names.
  const masked: Masked = typeof stored === 'object' && stored !== null ? stored : { api_key: stored ?? null }
  const fields: readonly CredentialName[] = credentialFields(system)
  const isSet = fields.some((field) => masked[field])
  const close = () => setEditing(false)
  if (isEditing || !isSet) {
    return (
      <CredentialsForm
        system={system}
        fields={fields}
        action={action}
        cancel={isSet && <Button onClick={close}>{t('kit.cancel')}</Button>}
        onSaved={() => {
          close()
          onSaved()
        }}
      />
    )
  }
  return (
    <>
      <Facts
        facts={fields.map((field) => [t(`credentials.${field}`), <code key={field}>{masked[field] ?? '–'}</code>])}
      />
      <div className="row">
        <Button icon="key" onClick={() => setEditing(true)}>
          {t('credentials.replace')}
        </Button>
        <RemoveCredentials system={system} />
      </div>
    </>
  )
}

interface CredentialsFormProps {
  system: CredentialSystem
  fields: readonly CredentialName[]
  action: string | undefined
  cancel: ReactNode
  onSaved: () => void
}

function CredentialsForm({ system, fields, action, cancel, onSaved }: CredentialsFormProps) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const [values, setValues] = useState<Partial<Record<CredentialName, string>>>({})
  const save = useMutation({
    // Each system has its own operation; the fields of the form are those of its body.
    mutationFn: () =>
      api.put(`/v1/shops/{slug}/keys/${system}` as '/v1/shops/{slug}/keys/klaviyo', {
        params: { path: { slug } },
        body: values as { api_key: string },
      }),
    async onSuccess() {
      await refresh(queryClient, ...credentialDependents)
      setValues({})
      onSaved()
    },
  })
  const problems = problemsByField(save.error)
  return (
    <Form
      className="stack"
      problems={problems}
      labels={Object.fromEntries(fields.map((field) => [field, t(`credentials.${field}`)]))}
      onSubmit={() => save.mutate()}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          label={
            isOptional(field)
              ? t('credentials.optional', { name: t(`credentials.${field}`) })
              : t(`credentials.${field}`)
          }
          type={isSecret(field) ? 'password' : 'text'}
          autoComplete="off"
          required={!isOptional(field)}
          help={isOptional(field) ? t('credentials.webhook_secret_help') : undefined}
          value={values[field] ?? ''}
          error={problems[field]}
          onChange={(value) => {
            save.reset()
            setValues(({ [field]: _, ...others }) => (value === '' ? others : { ...others, [field]: value }))
          }}
        />
      ))}
      <p className="help">{t('credentials.help')}</p>
      <div className="row">
        <Button type="submit" variant="primary" isBusy={save.isPending}>
          {action ?? t('credentials.save')}
        </Button>
        {cancel}
      </div>
    </Form>
  )
}
