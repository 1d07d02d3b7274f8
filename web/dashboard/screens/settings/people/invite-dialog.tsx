import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from 'doorstep-client'
import { useState } from 'react'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyField } from '../../../kit/copy.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { problemsByField } from '../../../kit/form.tsx'
import { formatTime } from '../../../kit/format.ts'
import { t } from '../../../texts/texts.ts'
import { type Grant, RolesField } from './roles-field.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const slug = useSlug()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [grants, setGrants] = useState<Grant[]>([{ shop_slug: slug, role: 'editor' }])
  const queryClient = useQueryClient()
  const invite = useMutation({
    mutationFn: () =>
      api.post('/v1/people', { body: { email: email.trim(), name: name.trim() || null, shops: grants } }),
    onSuccess: () => refresh(queryClient, '/v1/people'),
  })
  if (invite.data) return <LinkDialog link={invite.data} onClose={onClose} />
  const isTaken = invite.error instanceof ApiError && invite.error.key === 'user_exists'
  const problems = isTaken ? { email: t('people.exists') } : problemsByField(invite.error)
  return (
    <Dialog
      title={t('people.invite_title')}
      onClose={onClose}
      closesLightly={email === '' && name === ''}
      actions={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button variant="primary" type="submit" form="invite" isBusy={invite.isPending}>
            {t('people.invite_action')}
          </Button>
        </>
      }
    >
      <form
        id="invite"
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate()
        }}
      >
        <p className="soft">{t('people.invite_text')}</p>
        <TextField
          label={t('people.email')}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          value={email}
          onChange={(typed) => {
            setEmail(typed)
            invite.reset()
          }}
          error={problems.email && (isTaken ? problems.email : t('people.email_wrong'))}
        />
        <TextField
          label={t('people.name')}
          help={t('people.name_help')}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <RolesField grants={grants} onChange={setGrants} />
        {problems.shops !== undefined && <p className="field-error">{t('people.role_missing')}</p>}
        {problems[''] && <p className="field-error">{problems['']}</p>}
      </form>
    </Dialog>
  )
}

interface NewLink {
  person: { email: string; status: string }
  link: string
  expires_at: string
  mailed: boolean
}

/** The link is shown here and nowhere else. */
export function LinkDialog({ link, onClose }: { link: NewLink; onClose: () => void }) {
  const kind = link.person.status === 'active' ? 'reset' : 'invite'
  const state = link.mailed ? 'mailed' : 'ready'
  return (
    <Dialog
      title={t(`people.${kind}_${state}`)}
      onClose={onClose}
      closesLightly={false}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('people.link_sent')}
        </Button>
      }
    >
      <p>{t(`people.${kind}_${state}_text`, { email: link.person.email })}</p>
      <CopyField label={t('people.link')} value={link.link} />
      <p className="soft small">{t('people.link_expires', { time: formatTime(link.expires_at) })}</p>
    </Dialog>
  )
}
