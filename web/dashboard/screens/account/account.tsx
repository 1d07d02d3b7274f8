import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, refresh } from '../../app/api.ts'
import { sessionQuery, useSession } from '../../app/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { problemsByField } from '../../kit/form.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Card, Facts, Page } from '../../kit/page.tsx'
import { Banner } from '../../kit/problem.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { t } from '../../texts/texts.ts'
import { PasswordField } from '../sign-in/password-field.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

/** The account of the signed-in person or key: name, password, second factor, and sessions. */
export function Account() {
  useQuery({ ...sessionQuery, staleTime: 0 })
  const session = useSession()
  const isPerson = session.kind === 'person'
  return (
    <Page title={t('account.title')} back={<Back />}>
      <div className="account stack loose">
        {isPerson ? (
          <Profile key={session.name} name={session.name} email={session.email ?? ''} />
        ) : (
          <Card title={t('account.key_title')}>
            <p>{t('account.key_text', { name: session.username })}</p>
          </Card>
        )}
        {isPerson && (session.has_password ? <Password email={session.email ?? ''} /> : <Elsewhere />)}
        {session.has_password && <TwoFactor isOn={session.two_factor} />}
        {isPerson && <Messages />}
        <Sessions sessions={session.sessions} />
      </div>
    </Page>
  )
}

/** The shop used last, or the first one. */
function useLastShop() {
  const { shops } = useSession()
  const last = localStorage.getItem('doorstep.shop')
  return shops.find(({ slug }) => slug === last) ?? shops[0]
}

function Back() {
  const shop = useLastShop()
  if (shop === undefined) return null
  return (
    <Link to="/$slug" params={{ slug: shop.slug }}>
      <Icon name="left" />
      {shop.name}
    </Link>
  )
}

/** Messages are chosen for each shop. */
function Messages() {
  const shop = useLastShop()
  if (shop === undefined) return null
  return (
    <Card title={t('account.messages')}>
      <p>{t('account.messages_text', { shop: shop.name })}</p>
      <p>
        <Link to="/$slug/settings/team-mail" params={{ slug: shop.slug }}>
          {t('account.messages_link')}
        </Link>
      </p>
    </Card>
  )
}

function Profile({ name, email }: { name: string; email: string }) {
  const [typed, setTyped] = useState(name)
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const change = useMutation({
    mutationFn: (name: string) => api.patch('/v1/session', { body: { name } }),
    async onSuccess() {
      await refresh(queryClient, '/v1/session')
      toasts.done(t('kit.saved'))
    },
  })
  const problems = problemsByField(change.error)
  return (
    <Card title={t('account.profile')}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(typed)
        }}
      >
        {problems[''] && <Banner tone="wrong" title={problems['']} />}
        <Facts facts={[[t('account.email'), email]]} />
        <TextField
          label={t('account.name')}
          help={t('account.name_help')}
          autoComplete="name"
          value={typed}
          onChange={setTyped}
          error={problems.name && t('invitation.name_missing')}
        />
        <div className="row">
          <Button type="submit" isBusy={change.isPending} disabled={typed.trim() === name}>
            {t('kit.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Password({ email }: { email: string }) {
  const [old, setOld] = useState('')
  const [next, setNext] = useState('')
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const change = useMutation({
    mutationFn: () => api.put('/v1/session/password', { body: { old_password: old, new_password: next } }),
    async onSuccess({ sessions_ended }) {
      setOld('')
      setNext('')
      await refresh(queryClient, '/v1/session')
      toasts.done(t('account.password_changed', { count: sessions_ended }))
    },
  })
  const problems = problemsByField(change.error)
  return (
    <Card title={t('account.password')}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        {problems[''] && <Banner tone="wrong" title={problems['']} />}
        <input type="text" autoComplete="username" hidden readOnly value={email} />
        <PasswordField
          label={t('account.old_password')}
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={problems.old_password && t('account.old_password_wrong')}
        />
        <PasswordField
          label={t('account.new_password')}
          help={t('account.new_password_help')}
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          error={problems.new_password && t('invitation.password_wrong')}
        />
        <div className="row">
          <Button type="submit" isBusy={change.isPending} disabled={old === '' || next === ''}>
            {t('account.change_password')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Signed in through the company's own provider: there is no password here. */
function Elsewhere() {
  return (
    <Card title={t('account.password')} aside={<Badge tone="info">{t('account.oidc')}</Badge>}>
      <p>{t('account.oidc_text')}</p>
    </Card>
  )
}
