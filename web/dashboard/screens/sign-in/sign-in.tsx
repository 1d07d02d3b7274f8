import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { ApiError } from 'doorstep-client'
import { useEffect, useRef, useState } from 'react'
import { read } from '../../app/api.ts'
import { sessionQuery } from '../../app/session.ts'
import { Button, ButtonAnchor } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { stringifySearch } from '../../kit/list/search.ts'
import { Banner, wordsOf } from '../../kit/problem.tsx'
import { SkeletonLines } from '../../kit/states.tsx'
import { hasText, t } from '../../texts/texts.ts'
import { Entrance } from './entrance.tsx'
import { PasswordField } from './password-field.tsx'
import { safePage } from './safe-page.ts'
import { needsCode, signInOf, useSignIn } from './use-sign-in.ts'

/** Every way in: a link, the company's own provider, a personal account, an API key. */
export function SignIn() {
  const { to, error } = useSearch({ from: '/sign-in' })
  const [link] = useState(readLink)
  const session = useQuery({ ...sessionQuery, enabled: link === undefined })
  if (link) return <LinkSignIn {...link} />
  if (session.data && error === undefined) return <Navigate {...(safePage(to) as { to: '/' })} replace />
  return <FormSignIn to={to} error={error} />
}

interface SignInLink {
  token: string
  to: string | undefined
}

/** The token of a sign-in link. It leaves the address at once, so that it does not stay in the history. */
function readLink(): SignInLink | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get('token')
  if (token === null) return undefined
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  const shop = fragment.get('shop')
  return { token, to: shop === null ? undefined : `/${encodeURIComponent(shop)}` }
}

function LinkSignIn({ token, to }: SignInLink) {
  const signIn = useSignIn(to)
  const isSent = useRef(false)
  const { mutate } = signIn
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    mutate({ sign_in_token: token })
  }, [mutate, token])
  if (signIn.isError) return <FormSignIn to={to} problem={t('sign_in.dead_link')} />
  return (
    <Entrance title={t('sign_in.signing_in')}>
      <SkeletonLines />
    </Entrance>
  )
}

interface FormSignInProps {
  to: string | undefined
  error?: string | undefined
  problem?: string
}

function FormSignIn({ to, error, problem }: FormSignInProps) {
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  const [missing, setMissing] = useState(false)
  const options = useQuery(read('/v1/session/options'))
  const signIn = useSignIn(to)
  const oidc = options.data?.oidc
  if (needsCode(signIn.error) || (signIn.isPending && signIn.variables.totp !== undefined)) {
    return <CodeStep signIn={signIn} send={(code) => signIn.mutate(signInOf(name, secret, code))} />
  }
  const submit = () => {
    const isComplete = name.trim() !== '' && secret !== ''
    setMissing(!isComplete)
    if (isComplete) signIn.mutate(signInOf(name, secret))
  }
  const page = safePage(to)
  const start = `/dashboard${page.to}${stringifySearch(page.search)}`
  return (
    <Entrance title={t('sign_in.title')} lead={t('sign_in.lead')}>
      {problem && <Banner tone="late" title={problem} />}
      {error && <Banner tone="wrong" title={reasonOf(error)} />}
      {signIn.isError && <Banner tone="wrong" title={problemOf(signIn.error)} />}
      {oidc && (
        <>
          <ButtonAnchor variant="secondary" icon="key" href={`${oidc.start_url}?to=${encodeURIComponent(start)}`}>
            {t('sign_in.with', { name: oidc.name })}
          </ButtonAnchor>
          <p className="or soft small">{t('sign_in.or')}</p>
        </>
      )}
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={t('sign_in.name')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={name}
          onChange={setName}
          error={missing && name.trim() === '' ? t('sign_in.name_missing') : undefined}
        />
        <PasswordField
          label={t('sign_in.secret')}
          name="password"
          autoComplete="current-password"
          value={secret}
          onChange={setSecret}
          error={missing && secret === '' ? t('sign_in.secret_missing') : undefined}
        />
        <Button type="submit" variant="primary" isBusy={signIn.isPending}>
          {t('sign_in.action')}
        </Button>
      </form>
      <p className="small">
        <Link to="/forgotten">{t('sign_in.forgotten')}</Link>
      </p>
      <details className="small">
        <summary>{t('sign_in.help')}</summary>
        <div className="stack tight soft">
          <p>{t('sign_in.help_first')}</p>
          <p>{t('sign_in.help_factor')}</p>
        </div>
      </details>
    </Entrance>
  )
}

/** The second step: the password was right. */
function CodeStep({ signIn, send }: { signIn: ReturnType<typeof useSignIn>; send: (code: string) => void }) {
  const [code, setCode] = useState('')
  const isWrong = signIn.isError && signIn.variables?.totp !== undefined
  return (
    <Entrance title={t('sign_in.code_title')} lead={t('sign_in.code_lead')}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send(code)
        }}
      >
        <TextField
          label={t('sign_in.code')}
          name="one-time-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          autoFocus
          value={code}
          onChange={setCode}
          error={isWrong ? t('sign_in.code_wrong') : undefined}
        />
        <Button type="submit" variant="primary" isBusy={signIn.isPending}>
          {t('sign_in.action')}
        </Button>
        <Button variant="quiet" onClick={() => signIn.reset()}>
          {t('kit.back')}
        </Button>
      </form>
      <p className="small soft">{t('sign_in.help_factor')}</p>
    </Entrance>
  )
}

function problemOf(error: unknown): string {
  return error instanceof ApiError && error.status === 401 ? t('sign_in.wrong') : wordsOf(error)
}

function reasonOf(error: string): string {
  const key = `sign_in.error.${error.replaceAll('-', '_')}`
  return hasText(key) ? t(key) : t('sign_in.error.oidc_failed')
}
