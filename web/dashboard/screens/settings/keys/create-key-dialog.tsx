import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refresh } from '../../../app/api.ts'
import { useSession, useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Code, CopyField } from '../../../kit/copy.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { ChoiceField, SelectField, TextField } from '../../../kit/field.tsx'
import { problemsByField } from '../../../kit/form.tsx'
import { Banner } from '../../../kit/problem.tsx'
import { t } from '../../../texts/texts.ts'

const grantable = ['viewer', 'editor', 'admin'] as const
type Grantable = (typeof grantable)[number]

/** Days until a key expires; 0 is never. */
const lifetimes = ['0', '30', '90', '365'] as const
type Lifetime = (typeof lifetimes)[number]

type Scope = 'shop' | 'all'

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const { everywhere } = useSession()
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Grantable>('editor')
  const [lifetime, setLifetime] = useState<Lifetime>('0')
  const [scope, setScope] = useState<Scope>('shop')
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn() {
      const body = { role, username: username.trim() || null, expiration: expirationOf(lifetime) }
      return scope === 'all'
        ? api.post('/v1/api-keys', { body })
        : api.post('/v1/shops/{slug}/api-keys', { params: { path: { slug } }, body })
    },
    onSuccess: () => refresh(queryClient, '/v1/api-keys', '/v1/shops/{slug}/api-keys'),
  })
  if (create.data) return <NewKey created={create.data} onClose={onClose} />
  const { username: wrongName, expiration: wrongTime, ...problems } = problemsByField(create.error)
  return (
    <Dialog
      title={t('keys.create_title')}
      onClose={onClose}
      closesLightly={username === ''}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" type="submit" form="create-key" isBusy={create.isPending}>
            {t('keys.create')}
          </Button>
        </>
      }
    >
      <form
        id="create-key"
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        {Object.values(problems).map((words) => (
          <Banner key={words} tone="wrong" title={words} />
        ))}
        <TextField
          label={t('keys.username')}
          help={t('keys.username_help')}
          placeholder={slug}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(typed) => {
            setUsername(typed)
            create.reset()
          }}
          error={wrongName && t('keys.username_wrong')}
        />
        <ChoiceField
          label={t('keys.role')}
          value={role}
          choices={grantable.map((value) => ({ value, label: t(`role.${value}`), help: t(`people.may.${value}`) }))}
          onChange={setRole}
        />
        {everywhere === 'superadmin' && (
          <SelectField
            label={t('keys.valid_for')}
            value={scope}
            choices={[
              { value: 'shop', label: t('keys.this_shop') },
              { value: 'all', label: t('people.all_shops') },
            ]}
            onChange={setScope}
          />
        )}
        <SelectField
          label={t('keys.expires')}
          help={t('keys.expires_help')}
          value={lifetime}
          choices={lifetimes.map((value) => ({
            value,
            label: value === '0' ? t('people.never') : t('keys.days', { count: Number(value) }),
          }))}
          onChange={setLifetime}
          error={wrongTime && t('keys.expires_wrong')}
        />
      </form>
    </Dialog>
  )
}

interface Created {
  username: string
  secret: string
}

/** The secret is shown here and nowhere else. */
function NewKey({ created, onClose }: { created: Created; onClose: () => void }) {
  return (
    <Dialog
      title={t('keys.ready')}
      onClose={onClose}
      closesLightly={false}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('keys.stored')}
        </Button>
      }
    >
      <Banner tone="late" title={t('keys.once')} />
      <div className="stack tight">
        <p className="strong">{t('keys.username')}</p>
        <CopyField label={t('keys.username')} value={created.username} />
        <p className="strong">{t('keys.secret')}</p>
        <CopyField label={t('keys.secret')} value={created.secret} />
      </div>
      <p className="soft">{t('keys.try')}</p>
      <Code label={t('keys.try')}>{`curl -u '${created.username}:${created.secret}' ${location.origin}/v1/shops`}</Code>
    </Dialog>
  )
}

function expirationOf(lifetime: Lifetime): number | null {
  const days = Number(lifetime)
  // Null: as long as the key of this session, if that expires.
  return days === 0 ? null : Math.floor(Date.now() / 1_000) + days * 86_400
}
