import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { problemsByField } from '../../kit/form.tsx'
import { formatList, formatTime } from '../../kit/format.ts'
import { Banner, Problem } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'
import { Entrance } from './entrance.tsx'
import { PasswordField } from './password-field.tsx'
import { needsCode, signInOf, useSignIn } from './use-sign-in.ts'

/** The page that an invitation or a reset link opens. Choosing a password there also signs in. */
export function Invitation() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '')
  const link = useQuery({
    queryKey: ['/v1/session/link', token],
    queryFn: () => api.post('/v1/session/link', { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (token === '' || problemsByField(link.error).token !== undefined) return <DeadLink />
  if (link.isError) {
    return (
      <Entrance title={t('invitation.title')}>
        <Problem error={link.error} retry={() => void link.refetch()} />
      </Entrance>
    )
  }
  if (link.isPending) {
    return (
      <Entrance title={t('invitation.title')}>
        <SkeletonLines />
      </Entrance>
    )
  }
  return <Acceptance token={token} link={link.data} />
}

interface OpenLink {
  kind: 'invitation' | 'reset'
  email: string
  name: string
  shops: readonly { name: string; role: 'viewer' | 'editor' | 'admin' | 'superadmin' }[]
  expires_at: string
}

function Acceptance({ token, link }: { token: string; link: OpenLink }) {
  const [name, setName] = useState(link.name)
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const signIn = useSignIn(undefined)
  const acceptance = useMutation({
    mutationFn: () => api.post('/v1/session/link/accept', { body: { token, password, name: name.trim() || null } }),
    onSuccess: () =>
      signIn.mutate(signInOf(link.email, password), {
        // A second factor, most likely: the sign-in page asks for it.
        onError: () => void navigate({ to: '/sign-in' }),
      }),
  })
  const problems = problemsByField(acceptance.error)
  if (problems.token !== undefined) return <DeadLink />
  const isReset = link.kind === 'reset'
  const isBusy = acceptance.isPending || signIn.isPending || (signIn.isError && needsCode(signIn.error))
  return (
    <Entrance
      title={isReset ? t('invitation.reset_title') : t('invitation.title')}
      lead={isReset ? t('invitation.reset_lead') : t('invitation.lead', { access: accessOf(link) })}
    >
      {problems[''] && <Banner tone="wrong" title={problems['']} />}
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          acceptance.mutate()
        }}
      >
        <TextField
          label={t('invitation.email')}
          autoComplete="username"
          readOnly
          value={link.email}
          onChange={() => {}}
        />
        {!isReset && (
          <TextField
            label={t('invitation.name')}
            help={t('invitation.name_help')}
            autoComplete="name"
            value={name}
            onChange={setName}
            error={problems.name && t('invitation.name_missing')}
          />
        )}
        <PasswordField
          label={t('invitation.password')}
          help={t('invitation.password_help')}
          autoComplete="new-password"
          value={password}
          onChange={(typed) => {
            setPassword(typed)
            acceptance.reset()
          }}
          error={problems.password && t('invitation.password_wrong')}
        />
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {isReset ? t('invitation.reset_action') : t('invitation.action')}
        </Button>
      </form>
      <p className="small soft">{t('invitation.expires', { time: formatTime(link.expires_at) })}</p>
    </Entrance>
  )
}

/** "River & Pine (editor) and Demo (viewer)" */
function accessOf({ shops }: OpenLink): string {
  return formatList(
    shops.map(({ name, role }) => `${name === '*' ? t('people.all_shops') : name} (${t(`role.${role}`)})`),
  )
}

function DeadLink() {
  return (
    <Entrance title={t('invitation.dead_title')} lead={t('invitation.dead_lead')}>
      <ButtonLink to="/sign-in">{t('sign_in.title')}</ButtonLink>
    </Entrance>
  )
}
